/* Reads a state block so many times as fast as it can; says what it saw. */
#include "rolima_state.h"
#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    rolima_state state;
    int result = rolima_open(&state, argv[1]);
    if (result != ROLIMA_OK) {
        fprintf(stderr, "open: %d\n", result);
        return 1;
    }
    uint64_t wanted = strtoull(argv[2], NULL, 10);
    uint64_t reads = 0, torn = 0, different = 0, backwards = 0, last = 0, busy = 0;
    double far = 0;
    long step_at = rolima_find_channel(&state, "step");
    if (step_at < 0 || rolima_find_channel(&state, "ste") >= 0) return 3;
    /* Reads prove nothing while the writer sleeps. */
    while (reads < wanted || different < 10000) {
        result = rolima_read(&state);
        if (result == ROLIMA_NOTHING) continue;
        if (result == ROLIMA_BUSY) {
            busy++;
            continue;
        }
        if (result != ROLIMA_OK) return 1;
        reads++;
        uint64_t step = state.copy[ROLIMA_STEP];
        /* Every step is published, so that both count alike. */
        if (!rolima_check(&state) || state.copy[ROLIMA_PUBLICATION] != step) torn++;
        if ((size_t)step_at >= rolima_channel_count(&state) ||
            rolima_channel(&state, (size_t)step_at) != (double)step)
            torn++;
        if (step < last) backwards++;
        if (step != last) {
            different++;
            for (size_t i = 0; i < rolima_body_count(&state); i++) {
                rolima_body body = rolima_get_body(&state, i);
                far = fmax(far, fabs(body.x));
                far = fmax(far, fabs(rolima_heading(body)) - 3.2);
            }
        }
        last = step;
    }
    uint8_t *scene;
    size_t length;
    uint32_t generation;
    if (rolima_scene(&state, &scene, &length, &generation) != ROLIMA_OK) return 1;
    free(scene);
    rolima_event event;
    uint64_t end = state.copy[ROLIMA_EVENTS_END], events = 0;
    for (uint64_t serial = end > 100 ? end - 100 : 0; serial < end; serial++)
        if (rolima_get_event(&state, serial, &event) == ROLIMA_OK && event.kind < 6) events++;
    printf("reads %" PRIu64 " torn %" PRIu64 " backwards %" PRIu64 " different %" PRIu64
           " busy %" PRIu64 " retries %" PRIu64 " events %" PRIu64 " scene %zu far %g\n",
           reads, torn, backwards, different, busy, state.retries, events, length, far);
    rolima_close(&state);
    return 0;
}
