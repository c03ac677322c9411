/* Checksums of frames: frames HOST:PORT udp|tcp|lockstep COUNT */
#include "rolima.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t crc(const uint8_t *bytes, size_t count)
{
    uint32_t sum = 0xFFFFFFFFu;
    for (size_t i = 0; i < count; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ 0xEDB88320u : sum >> 1;
    }
    return ~sum;
}

int main(int argc, char **argv)
{
    if (argc != 4 || rolima_camera_next(NULL, 1.0, NULL) != ROLIMA_CAMERA_EVENT_FAILED)
        return 2;
    if (strcmp(rolima_camera_error(), "expected a camera and room for a frame, got null") != 0)
        return 3;
    RolimaTransport transport = strcmp(argv[2], "udp") == 0 ? ROLIMA_TRANSPORT_UDP : ROLIMA_TRANSPORT_TCP;
    int lock_step = strcmp(argv[2], "lockstep") == 0;
    RolimaCamera *camera = rolima_camera_open(argv[1], NULL, transport, lock_step, 60.0);
    if (camera == NULL) {
        fprintf(stderr, "%s\n", rolima_camera_error());
        return 1;
    }
    for (long left = atol(argv[3]); left > 0;) {
        RolimaCameraFrame frame;
        switch (rolima_camera_next(camera, 60.0, &frame)) {
        case ROLIMA_CAMERA_EVENT_FRAME:
            printf("%llu %llu %lu\n", (unsigned long long)frame.number, (unsigned long long)frame.step,
                   (unsigned long)crc(frame.rgb, (size_t)3 * frame.width * frame.height));
            left--;
            break;
        case ROLIMA_CAMERA_EVENT_TURN:
            if (rolima_camera_done(camera, frame.step) != 0)
                return 4;
            break;
        default:
            fprintf(stderr, "%s\n", rolima_camera_error());
            return 5;
        }
    }
    rolima_camera_close(camera);
    return 0;
}
