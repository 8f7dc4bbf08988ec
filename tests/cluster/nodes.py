"""Three real OpenSearch nodes on this machine: downloaded by Maven, each a process, started and ended by id."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import httpx

# Exact versions: the newest for which the k-NN plugin is on Maven Central, too.
SERVER = "org.opensearch.distribution.integ-test-zip:opensearch:3.5.0:zip"
KNN = "org.opensearch.plugin:opensearch-knn:3.5.0.0:zip"
LEAST_JAVA = 21
# With what a JVM needs beside its heap, three nodes stay below 3 GB.
HEAP_MB = 512
# A node takes 10 s of processor time to start, and the machine may be busy.
START_SECONDS = 600
# The server refuses to run as root.
NOBODY = 65534


# Java is started as `bin/opensearch` starts it after two JVMs of its own, with less to compile: a simple compiler
# halves the processor time of a start, and the agent that confines plugins would add a third.
JAVA_OPTIONS = (
    "-XX:+UseCompactObjectHeaders",
    "-XX:MaxDirectMemorySize=256m",
    "-Djava.awt.headless=true",
    "-Djna.nosys=true",
    "-Dio.netty.noUnsafe=true",
    "-Dio.netty.noKeySetOptimization=true",
    "-Dio.netty.recycler.maxCapacityPerThread=0",
    "-Dlog4j.shutdownHookEnabled=false",
    "-Dlog4j2.disable.jmx=true",
    "-Dopensearch.distribution.type=zip",
    "-Dopensearch.bundled_jdk=false",
    "-Dorg.apache.lucene.store.MMapDirectory.sharedArenaMaxPermits=1",
    "--add-modules=jdk.incubator.vector",
)
SHORT_LIVED = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
# As the distribution has it. A node refuses documents when its heap is full, be it of garbage, and the simple
# collector lets it fill up: with 1 GB a build ended so after a third of a million papers.
LONG_LIVED = ("-XX:+UseG1GC", "-XX:G1ReservePercent=25", "-XX:InitiatingHeapOccupancyPercent=30")


class Unavailable(Exception):
    """Why no cluster can be started here."""


@dataclass
class Node:
    """One node's folder and its process."""

    name: str
    folder: Path
    port: int
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        """kill -9, and wait until it is gone."""
        self.send(signal.SIGKILL)
        assert self.process is not None
        self.process.wait(30)


@dataclass
class Nodes:
    """The nodes of one cluster."""

    server: Path
    java: Path
    folder: Path
    heap_mb: int = HEAP_MB
    # Runs for so long, and takes so much, that compiling and collecting well pays.
    lasting: bool = False
    nodes: list[Node] = field(default_factory=list)

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(node.url for node in self.nodes)

    def configure(self, count: int) -> None:
        ports = _free_ports(2 * count)
        seeds = [f"127.0.0.1:{port}" for port in ports[count:]]
        names = [f"node-{number}" for number in range(count)]
        for number, name in enumerate(names):
            node = Node(name, self.folder / name, ports[number])
            _write_configuration(self.server, node, ports[count + number], seeds, names[0])
            self.nodes.append(node)
        if os.geteuid() == 0:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, NOBODY, NOBODY)

    def start(self, *nodes: Node) -> None:
        """Start these nodes, or all, and wait until every node is in the cluster and every shard is there."""
        for node in nodes or self.nodes:
            node.process = self._launch(node)
        alive = [node for node in self.nodes if node.process and node.process.poll() is None]
        self.wait(len(alive))

    def wait(self, count: int, status: str = "green") -> None:
        """Wait until so many nodes are in the cluster and its shards are there."""
        query = f"/_cluster/health?wait_for_nodes={count}&wait_for_status={status}&timeout=5s"
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            alive = [node for node in self.nodes if node.process and node.process.poll() is None]
            if len(alive) < count:
                break
            try:
                if httpx.get(alive[0].url + query, timeout=10).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.5)
        ends = [(node.folder / "output.log").read_text(encoding="utf-8")[-600:] for node in self.nodes]
        codes = [node.process.poll() for node in self.nodes if node.process]
        raise AssertionError(f"the cluster did not become {status}; {self._missing()}; exit codes {codes}; {ends}")

    def _missing(self) -> str:
        """What the cluster says about itself."""
        for node in self.nodes:
            try:
                return "".join(
                    httpx.get(node.url + path, timeout=10).text for path in ("/_cluster/health", "/_cat/shards")
                )
            except httpx.HTTPError:
                continue
        return "no node answers"

    def stop(self) -> None:
        for node in self.nodes:
            if node.process and node.process.poll() is None:
                node.send(signal.SIGCONT)
                node.kill()

    def _launch(self, node: Node) -> "subprocess.Popen[bytes]":
        drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.geteuid() == 0 else []
        [policies] = (self.server / "agent").glob("opensearch-agent-bootstrap-*.jar")
        with (node.folder / "output.log").open("ab") as output:
            return subprocess.Popen(
                [
                    *drop,
                    str(self.java / "bin" / "java"),
                    *JAVA_OPTIONS,
                    *(LONG_LIVED if self.lasting else SHORT_LIVED),
                    f"-Xms{self.heap_mb}m",
                    f"-Xmx{self.heap_mb}m",
                    f"-Xbootclasspath/a:{policies}",
                    f"-Djava.io.tmpdir={node.folder / 'tmp'}",
                    f"-Dopensearch.path.home={self.server}",
                    f"-Dopensearch.path.conf={node.folder / 'config'}",
                    "-cp",
                    f"{self.server / 'lib'}/*",
                    "org.opensearch.bootstrap.OpenSearch",
                ],
                cwd=node.folder,
                env={"PATH": os.environ["PATH"]},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )


def _write_configuration(server: Path, node: Node, transport: int, seeds: list[str], first: str) -> None:
    shutil.copytree(server / "config", node.folder / "config")
    for name in ("data", "logs", "tmp"):
        (node.folder / name).mkdir()
    settings = {
        "cluster.name": "papersite-test",
        "node.name": node.name,
        "path.data": node.folder / "data",
        "path.logs": node.folder / "logs",
        "network.host": "127.0.0.1",
        "http.port": node.port,
        "transport.port": transport,
        "discovery.seed_hosts": seeds,
        # One founds the cluster and the others join it: on a busy machine, electing one of three takes several rounds.
        "cluster.initial_cluster_manager_nodes": [first],
        # Noticed sooner than in production, so that tests are short.
        "cluster.fault_detection.follower_check.timeout": "2s",
        "cluster.fault_detection.leader_check.timeout": "2s",
        "cluster.routing.allocation.disk.threshold_enabled": "false",
    }
    text = "\n".join(f"{name}: {value}" for name, value in settings.items())
    (node.folder / "config" / "opensearch.yml").write_text(text, encoding="utf-8")


def three_nodes(folder: Path, heap_mb: int = HEAP_MB, *, lasting: bool = False) -> Nodes:
    """A running cluster; Unavailable with the reason where there can be none."""
    nodes = Nodes(_unpacked(), _java_home(), folder, heap_mb, lasting)
    nodes.configure(3)
    try:
        nodes.start()
    except BaseException:
        nodes.stop()
        raise
    return nodes


def _java_home() -> Path:
    named = [Path(os.environ[name]) for name in ("OPENSEARCH_JAVA_HOME", "JAVA_HOME") if name in os.environ]
    for home in (*named, *sorted(Path("/usr/lib/jvm").glob("*"))):
        release = home / "release"
        found = re.search(r'JAVA_VERSION="(\d+)', release.read_text(encoding="utf-8")) if release.is_file() else None
        if found and int(found[1]) >= LEAST_JAVA:
            return home
    raise Unavailable(f"no Java {LEAST_JAVA} or newer: set OPENSEARCH_JAVA_HOME")


def _unpacked() -> Path:
    """The server with its plugin, unpacked once on this machine."""
    if shutil.which("mvn") is None:
        raise Unavailable("no Maven (mvn), which downloads the server")
    name = SERVER.split(":")[2]
    place = Path(tempfile.gettempdir()) / f"papersite-opensearch-{name}"
    server = place / f"opensearch-{name}"
    if not (place / "complete").exists():
        shutil.rmtree(place, ignore_errors=True)
        _unzip(_downloaded(SERVER), place)
        _unzip(_downloaded(KNN), server / "plugins" / "opensearch-knn")
        for program in (server / "bin").iterdir():
            program.chmod(0o755)
        (place / "complete").touch()
    return server


def _downloaded(artifact: str) -> Path:
    group, name, version, kind = artifact.split(":")
    command = ["mvn", "-q", "-B", "dependency:get", "-Dtransitive=false", f"-Dartifact={artifact}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    file = Path.home() / ".m2" / "repository" / Path(*group.split(".")) / name / version / f"{name}-{version}.{kind}"
    if done.returncode or not file.is_file():
        raise Unavailable(f"Maven could not download {artifact}: {done.stdout[-300:]}")
    return file


def _unzip(file: Path, folder: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for item in sockets:
            item.bind(("127.0.0.1", 0))
        return [int(item.getsockname()[1]) for item in sockets]
    finally:
        for item in sockets:
            item.close()
