/* The synthetic scene: a room, the solids in it, the rays that meet them, and the colours of their surfaces (paint.c).
 *
 * Metres, x to the right, y down, z away from the camera. Only + - * / sqrt and floor on doubles are used, so that
 * every machine computes the same numbers. */
#ifndef CAPTURE_SYNTHETIC_WORLD_H
#define CAPTURE_SYNTHETIC_WORLD_H

#include <stdint.h>

typedef struct vec {
    double x, y, z;
} vec;

static inline vec vec_add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec vec_sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec vec_scale(vec a, double s) { return (vec){a.x * s, a.y * s, a.z * s}; }
static inline double vec_dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* A rotation: the columns are the axes of the rotated frame, in the outer frame. */
typedef struct rotation {
    vec x, y, z;
} rotation;

static inline vec rotate_out(const rotation *r, vec v) {
    return vec_add(vec_add(vec_scale(r->x, v.x), vec_scale(r->y, v.y)), vec_scale(r->z, v.z));
}
static inline vec rotate_in(const rotation *r, vec v) {
    return (vec){vec_dot(r->x, v), vec_dot(r->y, v), vec_dot(r->z, v)};
}

typedef enum shape { SPHERE, BOX, CYLINDER } shape; /* a cylinder stands along its y axis */

typedef enum material { MARBLE, STONE, WOOD, PAINTED, STRIPED, SPIRAL, GREEN, ORANGE, MATERIAL_ROOM } material;

typedef struct solid {
    shape shape;
    material material;
    vec centre, half; /* half its size; a sphere's radius is half.x, a cylinder's half.x */
    rotation turn;
} solid;

enum { SOLIDS = 10, ROOM = SOLIDS };

#define ALL_SOLIDS ((1u << SOLIDS) - 1)

/* The scene at one moment. */
typedef struct world {
    vec eye; /* of the left camera */
    rotation camera;
    solid solids[SOLIDS];
} world;

/* The room: left, top and front (near) wall, and right, bottom and back wall. */
extern const vec room_low, room_high;

typedef struct ray {
    vec origin, direction;
} ray;

/* Faces: 0, 1 are left and right (low and high x), 2, 3 top and bottom, 4, 5 near and far; 6 is round. */
enum { ROUND = 6 };

typedef struct hit {
    double distance; /* in units of the ray's direction */
    int solid;       /* or ROOM */
    int face;
} hit;

/* The scene at `phase`, 0..1; 1 is the same as 0. */
world world_at(double phase);

/* Bit i is set for each solid that a ray from the same origin may meet if its direction differs by at most `spread`. */
unsigned world_candidates(const world *world, ray ray, double spread);

/* The first hit of the ray among the room and the candidates; from within the room there always is one. */
hit world_hit(const world *world, ray ray, unsigned candidates);

/* The hit with that one solid (or ROOM), which the ray is known to meet. */
hit world_hit_one(const world *world, ray ray, int solid);

/* The surface's normal, towards the room, at a point of the hit. */
vec world_normal(const world *world, hit hit, vec point);

typedef struct colour {
    float r, g, b; /* 0..1, may exceed it a little */
} colour;

/* The colour of the hit surface at `point`, from any direction, so that both cameras see the same. `footprint`: metres
 * of the surface that one pixel covers; finer detail is omitted.
 * Thread: any. */
colour paint(const world *world, hit hit, vec point, double footprint);

#endif
