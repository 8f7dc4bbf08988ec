/* Preloaded: adds the seconds that the file CLOCK_FILE holds to the clock. The monotonic clock only runs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long seconds_ahead(void) {
    const char *name = getenv("CLOCK_FILE");
    char text[32] = "";
    int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    return length > 0 ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int (*next)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int status = next(clock, now);
    if (status == 0 && clock == CLOCK_REALTIME) now->tv_sec += seconds_ahead();
    return status;
}
