/* The colours of the synthetic scene's surfaces.
 *
 * Texture is value noise: random numbers at the points of a lattice, interpolated smoothly; octaves of it, each half
 * the size of the last, are added up as far as a pixel can show them. The random numbers are an integer hash of the
 * lattice point, so they are the same everywhere. */
#include "capture/synthetic/world.h"

#include <math.h>
#include <stdbool.h>

static float hash(int x, int y, int z) {
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (h >> 8) * (1.0f / (1 << 23)) - 1; /* -1..1 */
}

/* As floor(), which is a call on processors without an instruction for it. |x| is below 2^31 here. */
static int lower(double x) {
    int whole = (int)x;
    return whole - (whole > x);
}

static float smooth(float t) { return t * t * (3 - 2 * t); }
static float mix(float a, float b, float t) { return a + (b - a) * t; }
static float clamp01(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
static float smooth_step(double from, double to, double x) {
    return smooth(clamp01((float)((x - from) / (to - from))));
}
static colour blend(colour a, colour b, float t) {
    return (colour){mix(a.r, b.r, t), mix(a.g, b.g, t), mix(a.b, b.b, t)};
}
static colour times(colour a, float s) { return (colour){a.r * s, a.g * s, a.b * s}; }

static float noise2(double x, double y, int seed) {
    int i = lower(x), j = lower(y);
    float u = smooth((float)(x - i)), v = smooth((float)(y - j));
    return mix(mix(hash(i, j, seed), hash(i + 1, j, seed), u), mix(hash(i, j + 1, seed), hash(i + 1, j + 1, seed), u),
               v);
}

static float noise3(vec p, int seed) {
    int k = lower(p.z);
    float w = smooth((float)(p.z - k));
    /* No two planes of the lattice of any texture have the same seed. */
    return mix(noise2(p.x, p.y, seed * 4096 + k), noise2(p.x, p.y, seed * 4096 + k + 1), w);
}

/* How much of an octave whose lattice has this cell a pixel can show. */
static float visible(double cell, double footprint) { return clamp01((float)(cell / footprint - 1.2)); }

enum { OCTAVES = 8 };
static const float FALLOFF = 0.8f; /* of the amplitude from one octave to the next: rougher than nature, for matching */

/* Roughly -1..1. `cell`: of the largest octave, metres. */
static float fractal2(double x, double y, double cell, double footprint, int seed) {
    float sum = 0, amplitude = 0.7f;
    double scale = 1 / cell, finest = 1.2 * footprint;
    for (int i = 0; i < OCTAVES && cell > finest; i++, cell /= 2, scale *= 2, amplitude *= FALLOFF)
        sum += amplitude * visible(cell, footprint) * noise2(x * scale, y * scale, seed + i);
    return sum;
}

static float fractal3(vec p, double cell, double footprint, int seed) {
    float sum = 0, amplitude = 0.7f;
    double scale = 1 / cell, finest = 1.2 * footprint;
    for (int i = 0; i < OCTAVES && cell > finest; i++, cell /= 2, scale *= 2, amplitude *= FALLOFF)
        sum += amplitude * visible(cell, footprint) * noise3(vec_scale(p, scale), seed + i);
    return sum;
}

/* 1 within `half` of a multiple of `period`, with an edge as soft as a pixel. */
static float lines(double x, double period, double half, double footprint) {
    double away = fabs(x - period * lower(x / period + 0.5));
    return clamp01((float)((half - away) / footprint + 0.5));
}

/* 1 inside the rectangle, with an edge as soft as a pixel. */
static float rectangle(double x, double y, double centre_x, double centre_y, double half_x, double half_y,
                       double footprint) {
    double inside = fmin(half_x - fabs(x - centre_x), half_y - fabs(y - centre_y));
    return clamp01((float)(inside / footprint + 0.5));
}

/* An abstract painting: patches of strong colours. */
static colour painting(double x, double y, double footprint, int seed) {
    float r = fractal2(x, y, 0.45, footprint, seed), g = fractal2(x, y, 0.35, footprint, seed + 20),
          b = fractal2(x, y, 0.6, footprint, seed + 40);
    return (colour){0.58f + 0.38f * r, 0.44f + 0.28f * g + 0.12f * r, 0.4f + 0.32f * b - 0.08f * r};
}

/* `wall` with a framed picture on it; plain canvas if `seed` is 0. */
static colour hang(colour wall, double x, double y, double centre_x, double centre_y, double half_x, double half_y,
                   double footprint, int seed) {
    float frame = rectangle(x, y, centre_x, centre_y, half_x + 0.1, half_y + 0.1, footprint);
    if (frame == 0) return wall;
    float canvas = rectangle(x, y, centre_x, centre_y, half_x, half_y, footprint);
    colour gold = times((colour){0.62f, 0.47f, 0.2f}, 1 + 0.35f * fractal2(x, y, 0.1, footprint, 77));
    colour picture = seed ? painting(x, y, footprint, seed) : (colour){0.86f, 0.85f, 0.82f};
    return blend(wall, blend(gold, picture, canvas), frame);
}

static colour wood(double along, double across, double footprint, int seed) {
    double plank = 0.18;
    int number = lower(across / plank);
    float tone = 0.1f * hash(number, seed, 5);
    float grain = fractal2(along / 6, across + 7 * number, 0.06, footprint, seed) +
                  0.6f * fractal2(along, across, 0.2, footprint, seed + 10);
    colour c = times((colour){0.66f, 0.45f, 0.26f}, 1 + tone + 0.32f * grain);
    return times(c, 1 - 0.6f * lines(across, plank, 0.008, footprint));
}

static colour floor_tiles(double x, double z, double footprint) {
    double side = 0.65;
    int number = lower(x / side) + lower(z / side);
    colour tone = number & 1 ? (colour){0.36f, 0.38f, 0.42f} : (colour){0.72f, 0.68f, 0.6f};
    float grain = fractal2(x, z, 0.5, footprint, 100);
    float joint = fmaxf(lines(x, side, 0.012, footprint), lines(z, side, 0.012, footprint));
    return times(blend(times(tone, 1 + 0.3f * grain), (colour){0.25f, 0.23f, 0.2f}, 0.8f * joint), 1);
}

static colour bricks(double x, double y, double footprint) {
    double height = 0.2, width = 0.5;
    int row = lower(y / height);
    double shifted = x + (row & 1 ? width / 2 : 0);
    float tone = 0.22f * hash(lower(shifted / width), row, 9);
    float grain = fractal2(x, y, 0.5, footprint, 120);
    colour brick = times((colour){0.62f, 0.33f, 0.25f}, 1 + tone + 0.3f * grain);
    float joint = fmaxf(lines(shifted, width, 0.018, footprint), lines(y, height, 0.018, footprint));
    return blend(brick, times((colour){0.66f, 0.62f, 0.57f}, 1 + 0.15f * grain), 0.85f * joint);
}

/* A side wall: plaster above, planks below; `z` along it. */
static colour side_wall(double z, double y, double footprint, int seed) {
    float grain = fractal2(z, y, 0.8, footprint, seed);
    colour plaster = times((colour){0.36f, 0.52f, 0.55f}, 1 + 0.28f * grain);
    colour panel = wood(y, z, footprint, seed + 10);
    return blend(plaster, panel, smooth_step(0.38, 0.42, y));
}

static colour ceiling(double x, double z, double footprint) {
    colour planks = times(wood(z, x, footprint, 160), 0.62f);
    float lamp = fmaxf(rectangle(x, z, -1.7, 8, 0.25, 2.2, footprint), rectangle(x, z, 1.7, 8, 0.25, 2.2, footprint));
    return blend(planks, (colour){1.35f, 1.32f, 1.2f}, lamp);
}

/* How much light reaches the floor between the solids: they darken it around their feet. */
static float light_on_floor(const world *world, vec p) {
    float light = 1;
    for (int i = 0; i < SOLIDS; i++) {
        const solid *solid = &world->solids[i];
        vec away = vec_sub(p, solid->centre);
        double height = solid->shape == SPHERE ? away.y - solid->half.x : away.y - solid->half.y;
        if (height > 1) continue;
        double distance, soft = 0.3 + 0.5 * fmax(height, 0);
        if (solid->shape == BOX) {
            vec local = rotate_in(&solid->turn, away);
            double dx = fmax(fabs(local.x) - solid->half.x, 0), dz = fmax(fabs(local.z) - solid->half.z, 0);
            distance = sqrt(dx * dx + dz * dz);
        } else {
            double inner = solid->shape == SPHERE ? 0.6 : 1;
            distance = fmax(sqrt(away.x * away.x + away.z * away.z) - inner * solid->half.x, 0);
        }
        light *= 1 - (0.6f - 0.45f * clamp01((float)height)) * (1 - smooth_step(0, soft, distance));
    }
    return light;
}

static colour paint_room(const world *world, int face, vec p, double footprint) {
    float corner_y = 0.72f + 0.28f * smooth_step(0, 1.2, fmin(p.y - room_low.y, room_high.y - p.y));
    float corner_x = 0.72f + 0.28f * smooth_step(0, 1.5, fmin(p.x - room_low.x, room_high.x - p.x));
    float corner_z = 0.75f + 0.25f * smooth_step(0, 2.5, room_high.z - p.z);
    colour c;
    switch (face) {
    case 0:
        c = side_wall(p.z, p.y, footprint, 200);
        c = hang(c, p.z, p.y, 10.2, -0.85, 0.9, 0.7, footprint, 300);
        return times(c, corner_y * corner_z);
    case 1:
        c = side_wall(p.z, p.y, footprint, 230);
        c = hang(c, p.z, p.y, 11, -0.8, 1.2, 0.75, footprint, 330);
        return times(c, 0.85f * corner_y * corner_z);
    case 2: return times(ceiling(p.x, p.z, footprint), corner_x * corner_z);
    case 3: return times(floor_tiles(p.x, p.z, footprint), corner_x * corner_z * light_on_floor(world, p));
    default:
        c = bricks(p.x, p.y, footprint);
        c = hang(c, p.x, p.y, -3.1, -0.7, 1.1, 0.85, footprint, 360);
        c = hang(c, p.x, p.y, 0.2, -0.8, 1.2, 0.85, footprint, 0);
        c = hang(c, p.x, p.y, 3.3, -0.6, 0.8, 1.0, footprint, 390);
        return times(c, corner_x * corner_y);
    }
}

/* Coordinates on a box's face, metres. */
static void on_face(int face, vec p, double *u, double *v) {
    *u = face < 2 ? p.z : p.x;
    *v = face == 2 || face == 3 ? p.z : p.y;
}

static colour paint_solid(const solid *solid, int face, vec p, double footprint) {
    double u, v;
    on_face(face, p, &u, &v);
    switch (solid->material) {
    case MARBLE: {
        float veins = fractal3(p, 0.35, footprint, 3);
        return blend((colour){0.88f, 0.9f, 0.94f}, (colour){0.12f, 0.2f, 0.5f}, clamp01(0.45f + 0.8f * veins));
    }
    case STONE:
        return times((colour){0.74f, 0.72f, 0.68f}, 1 + 0.32f * fractal2(u, v, 0.25, footprint, 420 + 10 * face));
    case WOOD: {
        double edge = fmin(solid->half.x - fabs(u), solid->half.x - fabs(v));
        colour planks = wood(u, v, footprint, 480 + 30 * face);
        return edge < 0.06 ? times(wood(v + 1, u + 3, footprint, 700), 0.7f) : planks;
    }
    case PAINTED: {
        float canvas = rectangle(u, v, 0, 0, solid->half.x - 0.05, solid->half.y - 0.05, footprint);
        return blend((colour){0.2f, 0.17f, 0.15f}, painting(u, v, footprint, 740), canvas);
    }
    case STRIPED: {
        float wave = lines(p.y + 0.03 * fractal3(p, 0.2, footprint, 11), 0.26, 0.065, footprint);
        colour base = blend((colour){0.86f, 0.2f, 0.14f}, (colour){0.98f, 0.82f, 0.25f}, wave);
        return times(base, 1 + 0.25f * fractal3(p, 0.12, footprint, 15));
    }
    case SPIRAL: {
        float band = lines(p.y + 0.6 * p.x, 0.4, 0.1, footprint);
        colour base = blend((colour){0.82f, 0.77f, 0.68f}, (colour){0.3f, 0.42f, 0.38f}, band);
        return times(base, 1 + 0.3f * fractal3(p, 0.15, footprint, 31));
    }
    case GREEN: return times((colour){0.25f, 0.62f, 0.3f}, 1 + 0.4f * fractal3(p, 0.3, footprint, 41));
    default: return times((colour){0.9f, 0.5f, 0.12f}, 1 + 0.4f * fractal3(p, 0.3, footprint, 51));
    }
}

colour paint(const world *world, hit hit, vec point, double footprint) {
    if (hit.solid == ROOM) return paint_room(world, hit.face, point, footprint);
    const solid *solid = &world->solids[hit.solid];
    const vec to_light = {-0.48, -0.72, -0.5};
    colour c = paint_solid(solid, hit.face, rotate_in(&solid->turn, vec_sub(point, solid->centre)), footprint);
    float diffuse = (float)vec_dot(world_normal(world, hit, point), to_light);
    return times(c, 0.62f + 0.45f * diffuse);
}
