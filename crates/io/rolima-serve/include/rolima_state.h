/* Reads the state block of a running simulator from C11: newest moment, scene, events.
 *
 * Self-contained; for systems with mmap (Linux, macOS, BSD). The layout is told in
 * docs/shared-memory.md. Nothing here writes to the block or makes the simulator wait.
 *
 *     rolima_state state;
 *     if (rolima_open(&state, path) != ROLIMA_OK) ...
 *     for (;;) {
 *         int result = rolima_read(&state);
 *         if (result == ROLIMA_OK) printf("%g\n", rolima_number(&state, ROLIMA_TIME_S));
 *         else if (result == ROLIMA_SUPERSEDED) { rolima_close(&state); rolima_open(&state, path); }
 *     }
 *     rolima_close(&state);
 */
#ifndef ROLIMA_STATE_H
#define ROLIMA_STATE_H

#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROLIMA_MAGIC UINT64_C(0x5453414d494c4f52) /* "ROLIMAST", little endian */
#define ROLIMA_LAYOUT_VERSION 6

/* Results. */
enum {
    ROLIMA_OK = 0,
    ROLIMA_NOTHING = 1,    /* no moment was published yet */
    ROLIMA_SUPERSEDED = 2, /* a larger block has taken over: open the path again */
    ROLIMA_BUSY = -1,      /* overtaken by the writer every time */
    ROLIMA_NO_FILE = -2,   /* cannot be opened or mapped */
    ROLIMA_NO_BLOCK = -3,  /* something else, another version, or cut */
    ROLIMA_NO_MEMORY = -4
};

/* Words of the block's header. */
enum {
    ROLIMA_H_MAGIC = 0, ROLIMA_H_VERSION = 1, ROLIMA_H_TOTAL_WORDS = 2, ROLIMA_H_WRITER_PID = 3,
    ROLIMA_H_FLAGS = 4, ROLIMA_H_SUCCESSOR = 5, ROLIMA_H_BODY_CAPACITY = 6,
    ROLIMA_H_CONTACT_CAPACITY = 7, ROLIMA_H_SCORE_CAPACITY = 8, ROLIMA_H_EVENT_CAPACITY = 9,
    ROLIMA_H_SCENE_CAPACITY = 10, ROLIMA_H_SLOT_COUNT = 11, ROLIMA_H_SLOT_STRIDE = 12,
    ROLIMA_H_EVENTS_AT = 13, ROLIMA_H_SCENE_AT = 14, ROLIMA_H_SLOTS_AT = 15, ROLIMA_H_NEWEST = 16,
    ROLIMA_H_READING_CAPACITY = 17, ROLIMA_H_POSE_CAPACITY = 18, ROLIMA_H_WHEEL_CAPACITY = 19,
    ROLIMA_H_CHANNEL_CAPACITY = 20, ROLIMA_H_NAMES_CAPACITY = 21, ROLIMA_H_NAMES_AT = 22,
    ROLIMA_H_SCENE_SEQUENCE = 24, ROLIMA_H_SCENE_GENERATION = 25, ROLIMA_H_SCENE_BYTES = 26,
    ROLIMA_H_NAMES_BYTES = 27, ROLIMA_H_CHANNELS_LEFT_OUT = 28,
    ROLIMA_H_WORDS = 64
};
#define ROLIMA_FLAG_CLOSED 1
#define ROLIMA_FLAG_SUPERSEDED 2

/* Words of a moment. */
enum {
    ROLIMA_SEQUENCE = 0, ROLIMA_CHECK = 1, ROLIMA_PUBLICATION = 2, ROLIMA_GENERATION = 3,
    ROLIMA_STEP = 4, ROLIMA_TIME_S = 5, ROLIMA_BODIES = 6, ROLIMA_ROBOTS = 7, ROLIMA_CONTACTS = 8,
    ROLIMA_CONTACTS_IN_ALL = 9, ROLIMA_SCORES = 10, ROLIMA_EVENTS_END = 11,
    ROLIMA_EVENTS_DROPPED = 12, ROLIMA_STATUS_FLAGS = 13, ROLIMA_SPEED = 14,
    ROLIMA_REAL_TIME_FACTOR = 15, ROLIMA_SEED = 16, ROLIMA_MISSED_TICKS = 17,
    ROLIMA_MISSED_FRAMES = 18, ROLIMA_BEHIND_S = 19, ROLIMA_TICK_LATENESS = 20,
    ROLIMA_FRAME_LATENESS = 24, ROLIMA_CONTROLLERS = 28, ROLIMA_AWAITED = 29,
    ROLIMA_READINGS = 30, ROLIMA_POSES_AND_WHEELS = 31, ROLIMA_CHANNELS = 32,
    ROLIMA_RUN_TIME_S = 33,
    ROLIMA_SLOT_WORDS = 40
};
#define ROLIMA_CONTACT_WORDS 3
#define ROLIMA_BODY_WORDS 14
#define ROLIMA_POSE_WORDS 5
#define ROLIMA_WHEEL_WORDS 5
#define ROLIMA_EVENT_WORDS 8

/* Bits of a body's flags. */
#define ROLIMA_SLIPS 1
#define ROLIMA_QUARANTINED 2
#define ROLIMA_DRIVEN_FROM_OUTSIDE 4

typedef struct {
    const _Atomic uint64_t *words;
    size_t bytes;
    size_t slots, slots_at, stride, scores_at, contacts_at, bodies_at, readings_at, poses_at, wheels_at;
    size_t channels_at, channel_capacity;
    size_t body_capacity, contact_capacity, score_capacity, reading_capacity;
    size_t pose_capacity, wheel_capacity;
    uint64_t *copy;   /* the moment read last; see the words above */
    uint64_t retries; /* how often a copy had to be made again */
} rolima_state;

/* SI units; headings counter-clockwise from x; right before left. */
typedef struct {
    double x, y, cos_heading, sin_heading, vx, vy, omega;
    double volts_right, volts_left, current_right, current_left, wheel_right, wheel_left;
    uint32_t flags;
} rolima_body;

/* Where a body is in space; only on rough ground. Quaternion: world from body. */
typedef struct {
    double z, qw, qx, qy, qz;
} rolima_pose;

/* A suspended wheel: angle turned, rad; spin, rad/s; way the suspension has raised it, m; load, N;
 * angle by which it is steered to the left, rad. */
typedef struct {
    double angle, spin, raised, load, steer;
} rolima_wheel;

static inline uint64_t rolima_word(const rolima_state *state, size_t index) {
    return atomic_load_explicit(&state->words[index], memory_order_relaxed);
}

static inline void rolima_close(rolima_state *state) {
    if (state->words != NULL) munmap((void *)(uintptr_t)state->words, state->bytes);
    free(state->copy);
    memset(state, 0, sizeof *state);
}

static inline int rolima_open(rolima_state *state, const char *path) {
    memset(state, 0, sizeof *state);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return ROLIMA_NO_FILE;
    struct stat about;
    void *map = MAP_FAILED;
    if (fstat(file, &about) == 0 && about.st_size >= ROLIMA_H_WORDS * 8)
        map = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (map == MAP_FAILED) return ROLIMA_NO_FILE;
    state->words = (const _Atomic uint64_t *)map;
    state->bytes = (size_t)about.st_size;
    if (rolima_word(state, ROLIMA_H_MAGIC) != ROLIMA_MAGIC ||
        rolima_word(state, ROLIMA_H_VERSION) != ROLIMA_LAYOUT_VERSION ||
        rolima_word(state, ROLIMA_H_TOTAL_WORDS) > state->bytes / 8 ||
        rolima_word(state, ROLIMA_H_SLOT_COUNT) == 0) {
        rolima_close(state);
        return ROLIMA_NO_BLOCK;
    }
    state->slots = (size_t)rolima_word(state, ROLIMA_H_SLOT_COUNT);
    state->slots_at = (size_t)rolima_word(state, ROLIMA_H_SLOTS_AT);
    state->stride = (size_t)rolima_word(state, ROLIMA_H_SLOT_STRIDE);
    state->score_capacity = (size_t)rolima_word(state, ROLIMA_H_SCORE_CAPACITY);
    state->contact_capacity = (size_t)rolima_word(state, ROLIMA_H_CONTACT_CAPACITY);
    state->body_capacity = (size_t)rolima_word(state, ROLIMA_H_BODY_CAPACITY);
    state->scores_at = ROLIMA_SLOT_WORDS;
    state->contacts_at = state->scores_at + state->score_capacity;
    state->bodies_at = state->contacts_at + state->contact_capacity * ROLIMA_CONTACT_WORDS;
    state->reading_capacity = (size_t)rolima_word(state, ROLIMA_H_READING_CAPACITY);
    state->readings_at = state->bodies_at + state->body_capacity * ROLIMA_BODY_WORDS;
    state->pose_capacity = (size_t)rolima_word(state, ROLIMA_H_POSE_CAPACITY);
    state->wheel_capacity = (size_t)rolima_word(state, ROLIMA_H_WHEEL_CAPACITY);
    state->poses_at = state->readings_at + state->reading_capacity;
    state->wheels_at = state->poses_at + state->pose_capacity * ROLIMA_POSE_WORDS;
    state->channel_capacity = (size_t)rolima_word(state, ROLIMA_H_CHANNEL_CAPACITY);
    state->channels_at = state->wheels_at + state->wheel_capacity * ROLIMA_WHEEL_WORDS;
    state->copy = (uint64_t *)calloc(state->stride, 8);
    if (state->copy == NULL) {
        rolima_close(state);
        return ROLIMA_NO_MEMORY;
    }
    return ROLIMA_OK;
}

/* Whether the simulator has ended well. One that was killed leaves its file without this mark; its
 * lock (flock) is free then. */
static inline int rolima_is_closed(const rolima_state *state) {
    return (rolima_word(state, ROLIMA_H_FLAGS) & ROLIMA_FLAG_CLOSED) != 0;
}

static inline size_t rolima_count(const rolima_state *state, size_t index, size_t most) {
    return state->copy[index] < most ? (size_t)state->copy[index] : most;
}

/* How many places in space the copied moment has: none on flat ground, else one a body. */
static inline size_t rolima_pose_count(const rolima_state *state) {
    uint64_t count = state->copy[ROLIMA_POSES_AND_WHEELS] & UINT64_C(0xffffffff);
    return count < state->pose_capacity ? (size_t)count : state->pose_capacity;
}

static inline size_t rolima_wheel_count(const rolima_state *state) {
    uint64_t count = state->copy[ROLIMA_POSES_AND_WHEELS] >> 32;
    return count < state->wheel_capacity ? (size_t)count : state->wheel_capacity;
}

static inline void rolima_copy_words(rolima_state *state, size_t slot, size_t from, size_t count) {
    for (size_t i = from; i < from + count; i++) state->copy[i] = rolima_word(state, slot + i);
}

/* Copies the newest moment into state->copy, whole and of one instant. */
static inline int rolima_read(rolima_state *state) {
    if (rolima_word(state, ROLIMA_H_FLAGS) & ROLIMA_FLAG_SUPERSEDED) return ROLIMA_SUPERSEDED;
    for (int attempt = 0; attempt < 1000; attempt++) {
        uint64_t newest = rolima_word(state, ROLIMA_H_NEWEST);
        if (newest == 0) return ROLIMA_NOTHING;
        atomic_thread_fence(memory_order_acquire);
        size_t slot = state->slots_at + (size_t)((newest - 1) % state->slots) * state->stride;
        uint64_t before = rolima_word(state, slot + ROLIMA_SEQUENCE);
        atomic_thread_fence(memory_order_acquire);
        rolima_copy_words(state, slot, 0, ROLIMA_SLOT_WORDS);
        rolima_copy_words(state, slot, state->scores_at,
                          rolima_count(state, ROLIMA_SCORES, state->score_capacity));
        rolima_copy_words(state, slot, state->contacts_at, ROLIMA_CONTACT_WORDS *
                          rolima_count(state, ROLIMA_CONTACTS, state->contact_capacity));
        rolima_copy_words(state, slot, state->bodies_at, ROLIMA_BODY_WORDS *
                          rolima_count(state, ROLIMA_BODIES, state->body_capacity));
        rolima_copy_words(state, slot, state->readings_at,
                          rolima_count(state, ROLIMA_READINGS, state->reading_capacity));
        rolima_copy_words(state, slot, state->poses_at,
                          ROLIMA_POSE_WORDS * rolima_pose_count(state));
        rolima_copy_words(state, slot, state->wheels_at,
                          ROLIMA_WHEEL_WORDS * rolima_wheel_count(state));
        rolima_copy_words(state, slot, state->channels_at,
                          rolima_count(state, ROLIMA_CHANNELS, state->channel_capacity));
        atomic_thread_fence(memory_order_acquire);
        uint64_t after = rolima_word(state, slot + ROLIMA_SEQUENCE);
        if (before == after && before == 2 * newest) return ROLIMA_OK;
        state->retries++;
    }
    return ROLIMA_BUSY;
}

/* A word of the copied moment that is a number. */
static inline double rolima_number(const rolima_state *state, size_t index) {
    double number;
    memcpy(&number, &state->copy[index], sizeof number);
    return number;
}

static inline size_t rolima_body_count(const rolima_state *state) {
    return rolima_count(state, ROLIMA_BODIES, state->body_capacity);
}

/* A body of the copied moment; its number is below rolima_body_count. */
static inline rolima_body rolima_get_body(const rolima_state *state, size_t number) {
    size_t at = state->bodies_at + number * ROLIMA_BODY_WORDS;
    rolima_body body;
    memcpy(&body, &state->copy[at], (ROLIMA_BODY_WORDS - 1) * 8);
    body.flags = (uint32_t)state->copy[at + ROLIMA_BODY_WORDS - 1];
    return body;
}

static inline size_t rolima_reading_count(const rolima_state *state) {
    return rolima_count(state, ROLIMA_READINGS, state->reading_capacity);
}

/* A number of the copied moment that a sensor read; below rolima_reading_count. The sensors of the
 * first robot come first, each as Scene.bodies.sensors tells. */
static inline double rolima_reading(const rolima_state *state, size_t number) {
    return rolima_number(state, state->readings_at + number);
}

/* Where a body of the copied moment is in space; its number is below rolima_pose_count. */
static inline rolima_pose rolima_get_pose(const rolima_state *state, size_t number) {
    rolima_pose pose;
    memcpy(&pose, &state->copy[state->poses_at + number * ROLIMA_POSE_WORDS], sizeof pose);
    return pose;
}

/* A wheel of the copied moment; below rolima_wheel_count. The wheels of the first robot come first,
 * as many of each as Scene.bodies.wheels tells. */
static inline rolima_wheel rolima_get_wheel(const rolima_state *state, size_t number) {
    rolima_wheel wheel;
    memcpy(&wheel, &state->copy[state->wheels_at + number * ROLIMA_WHEEL_WORDS], sizeof wheel);
    return wheel;
}

static inline size_t rolima_channel_count(const rolima_state *state) {
    return rolima_count(state, ROLIMA_CHANNELS, state->channel_capacity);
}

/* The value of a channel in the copied moment; its number, from rolima_find_channel, is below
 * rolima_channel_count. */
static inline double rolima_channel(const rolima_state *state, size_t number) {
    return rolima_number(state, state->channels_at + number);
}

static inline double rolima_heading(rolima_body body) {
    return atan2(body.sin_heading, body.cos_heading);
}

static inline uint64_t rolima_check_range(const rolima_state *state, size_t from, size_t count) {
    uint64_t sum = 0;
    for (size_t i = from; i < from + count; i++) sum += state->copy[i] * (2 * (uint64_t)i + 1);
    return sum;
}

/* Whether the words of the copied moment agree with its check. Always so after ROLIMA_OK; tests
 * use it. */
static inline int rolima_check(const rolima_state *state) {
    uint64_t sum =
        rolima_check_range(state, ROLIMA_PUBLICATION, ROLIMA_SLOT_WORDS - ROLIMA_PUBLICATION) +
        rolima_check_range(state, state->scores_at,
                           rolima_count(state, ROLIMA_SCORES, state->score_capacity)) +
        rolima_check_range(state, state->contacts_at, ROLIMA_CONTACT_WORDS *
                           rolima_count(state, ROLIMA_CONTACTS, state->contact_capacity)) +
        rolima_check_range(state, state->bodies_at, ROLIMA_BODY_WORDS * rolima_body_count(state)) +
        rolima_check_range(state, state->readings_at, rolima_reading_count(state)) +
        rolima_check_range(state, state->poses_at, ROLIMA_POSE_WORDS * rolima_pose_count(state)) +
        rolima_check_range(state, state->wheels_at,
                           ROLIMA_WHEEL_WORDS * rolima_wheel_count(state)) +
        rolima_check_range(state, state->channels_at, rolima_channel_count(state));
    return sum == state->copy[ROLIMA_CHECK];
}

/* Copies bytes that are written with a scene. The caller frees *bytes. */
static inline int rolima_copy_bytes(const rolima_state *state, size_t at, size_t length_word,
                                    size_t capacity, uint8_t **bytes, size_t *length,
                                    uint32_t *generation) {
    for (int attempt = 0; attempt < 1000; attempt++) {
        uint64_t before = rolima_word(state, ROLIMA_H_SCENE_SEQUENCE);
        atomic_thread_fence(memory_order_acquire);
        uint64_t size = rolima_word(state, length_word);
        *generation = (uint32_t)rolima_word(state, ROLIMA_H_SCENE_GENERATION);
        if (before % 2 == 0 && size <= capacity) {
            /* One more, so that a text can be ended. */
            uint64_t *copy = (uint64_t *)calloc((size_t)(size / 8 + 1), 8);
            if (copy == NULL) return ROLIMA_NO_MEMORY;
            for (size_t i = 0; i < (size + 7) / 8; i++) copy[i] = rolima_word(state, at + i);
            atomic_thread_fence(memory_order_acquire);
            if (rolima_word(state, ROLIMA_H_SCENE_SEQUENCE) == before) {
                *bytes = (uint8_t *)copy;
                *length = (size_t)size;
                return ROLIMA_OK;
            }
            free(copy);
        }
    }
    return ROLIMA_BUSY;
}

/* Copies the scene, a Protobuf message rolima.live.v1.Scene. The caller frees *bytes. */
static inline int rolima_scene(const rolima_state *state, uint8_t **bytes, size_t *length,
                               uint32_t *generation) {
    return rolima_copy_bytes(state, (size_t)rolima_word(state, ROLIMA_H_SCENE_AT), ROLIMA_H_SCENE_BYTES,
                             (size_t)rolima_word(state, ROLIMA_H_SCENE_CAPACITY), bytes, length,
                             generation);
}

/* Copies the names of the channels: a line each, with name, unit, least and largest value, and meaning,
 * tabs between them. The caller frees *bytes. */
static inline int rolima_channel_names(const rolima_state *state, uint8_t **bytes, size_t *length,
                                       uint32_t *generation) {
    return rolima_copy_bytes(state, (size_t)rolima_word(state, ROLIMA_H_NAMES_AT), ROLIMA_H_NAMES_BYTES,
                             (size_t)rolima_word(state, ROLIMA_H_NAMES_CAPACITY), bytes, length,
                             generation);
}

/* The number of a channel by its name, such as "robot.blue-1.x", or -1. Looks through all names: call it
 * once a scene (ROLIMA_GENERATION of a moment). */
static inline long rolima_find_channel(const rolima_state *state, const char *name) {
    uint8_t *bytes = NULL;
    size_t length = 0, wanted = strlen(name);
    uint32_t generation = 0;
    if (rolima_channel_names(state, &bytes, &length, &generation) != ROLIMA_OK) return -1;
    long number = 0, found = -1;
    for (size_t at = 0; at < length && found < 0; number++) {
        const uint8_t *end = (const uint8_t *)memchr(bytes + at, '\n', length - at);
        size_t next = end == NULL ? length : (size_t)(end - bytes) + 1;
        if (next - at > wanted && memcmp(bytes + at, name, wanted) == 0 && bytes[at + wanted] == '\t')
            found = number;
        at = next;
    }
    free(bytes);
    return found;
}

/* An event. Kinds: 0 impact, 1 slip, 2 goal, 3 refused, 4 quarantine, 5 energy cap. */
typedef struct {
    uint64_t step, kind, subject;
    uint64_t other; /* UINT64_MAX: none */
    double value;
} rolima_event;

/* Copies the event of this serial number, below the moment's ROLIMA_EVENTS_END. ROLIMA_NOTHING:
 * it was overwritten by later ones. */
static inline int rolima_get_event(const rolima_state *state, uint64_t serial,
                                   rolima_event *event) {
    uint64_t capacity = rolima_word(state, ROLIMA_H_EVENT_CAPACITY);
    size_t at = (size_t)(rolima_word(state, ROLIMA_H_EVENTS_AT) +
                         serial % capacity * ROLIMA_EVENT_WORDS);
    uint64_t before = rolima_word(state, at);
    atomic_thread_fence(memory_order_acquire);
    uint64_t words[5];
    for (size_t i = 0; i < 5; i++) words[i] = rolima_word(state, at + 1 + i);
    atomic_thread_fence(memory_order_acquire);
    if (before != serial + 1 || rolima_word(state, at) != before) return ROLIMA_NOTHING;
    memcpy(event, words, sizeof words);
    return ROLIMA_OK;
}

#endif
