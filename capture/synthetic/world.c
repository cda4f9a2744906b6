/* The geometry of the synthetic scene: see world.h. */
#include "capture/synthetic/world.h"

#include <math.h>
#include <stdbool.h>

const vec room_low = {-5.2, -2.4, -3}, room_high = {5.2, 1.3, 14};

/* The sine of `turns` whole turns, by its power series: the same on every machine, unlike libm's. */
static double sine(double turns) {
    double x = turns - floor(turns + 0.5);
    if (x > 0.25) x = 0.5 - x;
    if (x < -0.25) x = -0.5 - x;
    x *= 6.283185307179586;
    double square = x * x, term = x, sum = x;
    for (int n = 2; n < 18; n += 2) {
        term *= -square / (n * (n + 1));
        sum += term;
    }
    return sum;
}

static double cosine(double turns) { return sine(turns + 0.25); }

/* About y (the vertical), then about z, in turns. */
static rotation turned(double about_y, double about_z) {
    double c = cosine(about_y), s = sine(about_y), c2 = cosine(about_z), s2 = sine(about_z);
    vec x = {c, 0, -s}, y = {0, 1, 0}, z = {s, 0, c};
    return (rotation){vec_add(vec_scale(x, c2), vec_scale(y, s2)), vec_sub(vec_scale(y, c2), vec_scale(x, s2)), z};
}

/* Height of a bouncing ball above the ground, 0..1, once a unit of time. */
static double bounce(double time) {
    double x = time - floor(time);
    return 4 * x * (1 - x);
}

world world_at(double phase) {
    const double floor_y = room_high.y;
    double sway = sine(phase), ball = 1.3 * sine(phase + 0.3);
    vec upright = {0.45, 0.45, 0.45};
    return (world){
        .eye = {0.3 * sway, 0.03 * sine(2 * phase), 0.1 - 0.1 * cosine(phase)},
        .camera = turned(-0.006 * sway, 0),
        .solids =
            {
                /* a column near the camera, which hides others as the camera sways */
                {CYLINDER, SPIRAL, {0.82, 0, 1.9}, {0.1, 3, 0.1}, turned(0, 0)},
                /* a painted board, slanted */
                {BOX, PAINTED, {-1.75, 0.45, 4.3}, {0.7, 0.85, 0.03}, turned(0.09, 0)},
                /* two pedestals and what stands on them */
                {BOX, STONE, {-0.45, 0.85, 6.6}, {0.42, 0.45, 0.42}, turned(0.06, 0)},
                {SPHERE, MARBLE, {-0.45, -0.05, 6.6}, upright, turned(-phase, 0.06)},
                {BOX, STONE, {1.5, 0.95, 4.7}, {0.36, 0.35, 0.36}, turned(-0.05, 0)},
                {BOX, WOOD, {1.5, 0.14, 4.7}, {0.27, 0.27, 0.27}, turned(phase, 0.07)},
                /* a ball that crosses in front of them and behind the column */
                {SPHERE,
                 STRIPED,
                 {0.15 + ball, floor_y - 0.26 - 0.62 * bounce(6 * phase), 3.1},
                 {0.26, 0.26, 0.26},
                 turned(0.07, ball / (6.283185307179586 * 0.26))},
                {BOX, WOOD, {3.2, 0.8, 7.6}, {0.5, 0.5, 0.5}, turned(0.12, 0)},
                {SPHERE, GREEN, {-2.5, -0.75 + 0.15 * sine(phase), 7.6}, {0.4, 0.4, 0.4}, turned(0.1, 0)},
                {SPHERE,
                 ORANGE,
                 {1.9 + 0.2 * sway, -0.85 + 0.2 * sine(phase + 0.4), 8.6},
                 {0.4, 0.4, 0.4},
                 turned(0, 0)},
            },
    };
}

/* The parts of a ray that lie between two parallel planes: [*enter, *leave], from face `low` to `low` + 1. */
static void slab(double origin, double direction, double min, double max, int low, double *enter, double *leave,
                 int *enter_face, int *leave_face) {
    double inverse = 1 / direction; /* infinite along the planes, which comes out right */
    double a = (min - origin) * inverse, b = (max - origin) * inverse;
    bool forward = direction >= 0;
    double near = forward ? a : b, far = forward ? b : a;
    if (near > *enter) {
        *enter = near;
        *enter_face = forward ? low : low + 1;
    }
    if (far < *leave) {
        *leave = far;
        *leave_face = forward ? low + 1 : low;
    }
}

static hit hit_box(vec origin, vec direction, vec low, vec high, bool inside) {
    double enter = -INFINITY, leave = INFINITY;
    int enter_face = 0, leave_face = 0;
    slab(origin.x, direction.x, low.x, high.x, 0, &enter, &leave, &enter_face, &leave_face);
    slab(origin.y, direction.y, low.y, high.y, 2, &enter, &leave, &enter_face, &leave_face);
    slab(origin.z, direction.z, low.z, high.z, 4, &enter, &leave, &enter_face, &leave_face);
    if (inside) return (hit){.distance = leave, .face = leave_face};
    return (hit){.distance = enter <= leave && enter > 0 ? enter : INFINITY, .face = enter_face};
}

/* The smaller root of a t^2 + 2 b t + c = 0 if it is in front. */
static double first_root(double a, double b, double c) {
    double square = b * b - a * c;
    if (square < 0) return INFINITY;
    double root = (-b - sqrt(square)) / a;
    return root > 0 ? root : INFINITY;
}

static hit hit_solid(const solid *solid, ray ray) {
    vec origin = vec_sub(ray.origin, solid->centre), direction = ray.direction;
    if (solid->shape == BOX)
        return hit_box(rotate_in(&solid->turn, origin), rotate_in(&solid->turn, direction), vec_scale(solid->half, -1),
                       solid->half, false);
    if (solid->shape == CYLINDER) /* upright, and without ends: it reaches through floor and ceiling */
        origin.y = direction.y = 0;
    double radius = solid->half.x;
    return (hit){.distance = first_root(vec_dot(direction, direction), vec_dot(origin, direction),
                                        vec_dot(origin, origin) - radius * radius),
                 .face = ROUND};
}

unsigned world_candidates(const world *world, ray ray, double spread) {
    unsigned candidates = 0;
    for (int i = 0; i < SOLIDS; i++) {
        const solid *solid = &world->solids[i];
        vec origin = vec_sub(solid->centre, ray.origin), direction = ray.direction;
        if (solid->shape == CYLINDER) origin.y = direction.y = 0;
        double radius = solid->shape == BOX ? sqrt(vec_dot(solid->half, solid->half)) : solid->half.x;
        /* The point of the ray that is nearest to the centre, in units of its direction, and its offset from the
         * centre. */
        double near = vec_dot(origin, direction) / vec_dot(direction, direction);
        vec away = vec_sub(origin, vec_scale(direction, near));
        double reach = radius + spread * (fabs(near) + radius);
        if (vec_dot(away, away) <= reach * reach) candidates |= 1u << i;
    }
    return candidates;
}

hit world_hit_one(const world *world, ray ray, int solid) {
    hit hit = solid == ROOM ? hit_box(ray.origin, ray.direction, room_low, room_high, true)
                            : hit_solid(&world->solids[solid], ray);
    hit.solid = solid;
    return hit;
}

hit world_hit(const world *world, ray ray, unsigned candidates) {
    hit first = world_hit_one(world, ray, ROOM);
    for (int i = 0; i < SOLIDS; i++) {
        if (!(candidates >> i & 1)) continue;
        hit hit = world_hit_one(world, ray, i);
        if (hit.distance < first.distance) first = hit;
    }
    return first;
}

vec world_normal(const world *world, hit hit, vec point) {
    static const vec of_face[] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    if (hit.solid == ROOM) return vec_scale(of_face[hit.face], -1);
    const solid *solid = &world->solids[hit.solid];
    if (hit.face != ROUND) return rotate_out(&solid->turn, of_face[hit.face]);
    vec out = vec_sub(point, solid->centre);
    if (solid->shape == CYLINDER) out.y = 0;
    return vec_scale(out, 1 / solid->half.x);
}
