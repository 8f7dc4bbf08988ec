"""Writes folders of specs for the tests."""

from pathlib import Path

MAIN = """# Alarm clock

## Purpose

Wakes people at the time they chose, on every day they chose, and lets them sleep on otherwise.

## Requirements

### Requirement: Rings on time

The clock SHALL ring at the chosen minute.

#### Scenario: A weekday

- **GIVEN** an alarm at 07:00 on weekdays
- **WHEN** it is Monday
- **AND** the time is 07:00
- **THEN** the clock rings
- **AND** the display lights up

#### Scenario: A holiday

- **WHEN** the day is marked as a holiday
- **THEN** nothing rings

### Requirement: Snooze

The clock SHALL fall silent for nine minutes when it is tapped.

#### Scenario: Tapped once

- **WHEN** the clock is tapped while ringing
- **THEN** it is silent for nine minutes
- **BUT** it rings again afterwards
"""
LAMP = """# Night light

## Purpose

Gives just enough light to find the door in the dark, and none that keeps a sleeper awake.

## Requirements

### Requirement: Dims slowly

The lamp SHALL dim over five minutes after the last movement in the room.

#### Scenario: Nobody moves

- **WHEN** five minutes pass without movement
- **THEN** the lamp is off
"""
DELTA = """## ADDED Requirements

### Requirement: Vibrates

The clock SHALL vibrate before it rings.

#### Scenario: One minute before

- **WHEN** one minute is left
- **THEN** it vibrates

## MODIFIED Requirements

### Requirement: Snooze

The clock SHALL fall silent for five minutes when it is tapped.

#### Scenario: Tapped once

- **WHEN** the clock is tapped while ringing
- **THEN** it is silent for five minutes

## REMOVED Requirements

- `### Requirement: Shows the moon`

## RENAMED Requirements

- FROM: `### Requirement: Rings on time`
- TO: `### Requirement: Rings to the minute`
"""
PROPOSAL = """# Gentler waking

## Why

People wake up cross when the first thing they notice is noise; a vibration comes before it.

## What Changes

- The clock vibrates first.
"""
TASKS = "## 1. Motor\n\n- [x] 1.1 Buy a motor\n- [ ] 1.2 Build it in\n"


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def write_openspec(folder: Path) -> Path:
    """An `openspec` folder with two specs, one of them nested, an open change and an archived one."""
    files = {
        "specs/alarm-clock/spec.md": MAIN,
        "specs/bedroom/night-light/spec.md": LAMP,
        "changes/gentler-waking/proposal.md": PROPOSAL,
        "changes/gentler-waking/tasks.md": TASKS,
        "changes/gentler-waking/specs/alarm-clock/spec.md": DELTA,
        "changes/archive/2026-01-02-first-light/specs/bedroom/night-light/spec.md": "## ADDED Requirements\n",
    }
    return write(folder, files)
