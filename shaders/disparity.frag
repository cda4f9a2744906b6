// Disparity to colour.

uniform sampler2D disparity;
uniform usampler2D reason;
uniform sampler2D truth;
uniform sampler2D colours; // row `map`: the colours of a colour map; row `reasons`: the colour of each reason; the row
                           // after it: the colour of each colour_error
uniform int map;
uniform int reasons;
uniform float bounds[ERROR_MORE]; // of the errors, in pixels: colour_error_bound of map/colour.h
uniform vec3 ratios; // of depths: colour_ratios of map/colour.h
uniform vec3 empty;
uniform float minimum; // pixels, of the first colour
uniform float width;   // pixels, from the first to the last colour
uniform float scale;   // 255 / width, 0 if width is 0
uniform vec2 footprint; // size of a pixel of the screen, in units of `place`

const int mode = MODE;   // 0: by disparity; 1: the same, but reasons where there is one; 2: by reason; 3: by depth;
                         // 4: by error
const ivec2 taps = TAPS; // how many samples of the disparity map are averaged for a pixel of the screen, in x and y

in vec2 place;
out vec4 colour;

int index_by_depth(float d) {
    if (!(d + ratios.x > ratios.y)) return 0;
    return int(roundEven(min(log((d + ratios.x) / ratios.y) * ratios.z, 255.0)));
}

int error_of(float d, float t) {
    if (!is_value(t)) return ERROR_UNKNOWN;
    if (!is_value(d)) return ERROR_NONE;
    int error = 0;
    while (error < ERROR_MORE && abs(d - t) > bounds[error]) error++;
    return error;
}

vec3 colour_at(ivec2 pixel) {
    if (mode == 1 || mode == 2) {
        uint why = texelFetch(reason, pixel, 0).r;
        if ((why != 0u || mode == 2) && why < uint(REASON_COUNT))
            return texelFetch(colours, ivec2(int(why), reasons), 0).rgb;
    }
    float d = texelFetch(disparity, pixel, 0).r;
    if (mode == 4) {
        int error = error_of(d, texelFetch(truth, pixel, 0).r);
        return error == ERROR_NONE ? empty : texelFetch(colours, ivec2(error, reasons + 1), 0).rgb;
    }
    if (!is_value(d)) return empty;
    if (mode == 3) return texelFetch(colours, ivec2(index_by_depth(d), map), 0).rgb;
    return texelFetch(colours, ivec2(colour_index(d, minimum, width, scale), map), 0).rgb;
}

void main() {
    ivec2 size = textureSize(disparity, 0);
    vec3 sum = vec3(0.0);
    for (int y = 0; y < taps.y; y++)
        for (int x = 0; x < taps.x; x++) {
            vec2 at = place + ((vec2(x, y) + 0.5) / vec2(taps) - 0.5) * footprint;
            sum += colour_at(clamp(ivec2(floor(at * vec2(size))), ivec2(0), size - 1));
        }
    colour = vec4(sum / float(taps.x * taps.y), 1.0);
}
