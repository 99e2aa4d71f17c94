// Casts a ray a sun for every eye with Embree, eight suns to a packet, on one thread, and counts by month the suns seen.
//   embree QUESTION ANSWER        prints: CPU milliseconds of the casting, bytes that Embree holds
// QUESTION is written by embree-peer.ts; ANSWER is twelve 16-bit counts an eye.
#include <embree3/rtcore.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static const int MONTHS = 12;
static const int PACKET = 8;
static long long held = 0;

static bool count_memory(void*, ssize_t bytes, bool) {
  held += bytes;
  return true;
}

struct Sky {
  std::vector<float> directions;
  std::vector<uint32_t> month;
};

template <typename T>
static std::vector<T> read(FILE* file, size_t count) {
  std::vector<T> values(count);
  if (fread(values.data(), sizeof(T), count, file) != count) {
    fprintf(stderr, "the question ends early\n");
    exit(1);
  }
  return values;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  FILE* in = fopen(argv[1], "rb");
  if (!in) return 1;
  const auto counts = read<uint32_t>(in, 3);
  const auto triangles = read<float>(in, size_t(counts[0]) * 9);
  const auto eyes = read<float>(in, size_t(counts[1]) * 6);
  std::vector<Sky> skies(counts[2]);
  for (auto& sky : skies) {
    const uint32_t suns = read<uint32_t>(in, 1)[0];
    sky.directions = read<float>(in, size_t(suns) * 3);
    sky.month = read<uint32_t>(in, suns);
  }
  fclose(in);

  RTCDevice device = rtcNewDevice("threads=1");
  rtcSetDeviceMemoryMonitorFunction(device, count_memory, nullptr);
  RTCScene scene = rtcNewScene(device);
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
  rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_HIGH);
  RTCGeometry walls = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* vertices = static_cast<float*>(
      rtcSetNewGeometryBuffer(walls, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, triangles.size() / 3));
  std::copy(triangles.begin(), triangles.end(), vertices);
  auto* corners = static_cast<uint32_t*>(
      rtcSetNewGeometryBuffer(walls, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, counts[0]));
  for (uint32_t i = 0; i < counts[0] * 3; i++) corners[i] = i;
  rtcCommitGeometry(walls);
  rtcAttachGeometry(scene, walls);
  rtcReleaseGeometry(walls);
  rtcCommitScene(scene);

  std::vector<uint16_t> seen(size_t(counts[1]) * MONTHS);
  const clock_t start = clock();
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  for (uint32_t eye = 0; eye < counts[1]; eye++) {
    const float* e = &eyes[size_t(eye) * 6];
    const Sky& sky = skies[uint32_t(e[5])];
    const size_t suns = sky.month.size();
    alignas(32) int valid[PACKET];
    uint32_t month[PACKET];
    RTCRay8 rays;
    int filled = 0;
    const auto cast = [&]() {
      for (int i = 0; i < PACKET; i++) valid[i] = i < filled ? -1 : 0;
      rtcOccluded8(valid, scene, &context, &rays);
      for (int i = 0; i < filled; i++)
        if (rays.tfar[i] >= 0) seen[size_t(eye) * MONTHS + month[i]]++;
      filled = 0;
    };
    for (size_t sun = 0; sun < suns; sun++) {
      const float* d = &sky.directions[sun * 3];
      if (d[0] * e[3] + d[1] * e[4] <= 0) continue;
      rays.org_x[filled] = e[0];
      rays.org_y[filled] = e[1];
      rays.org_z[filled] = e[2];
      rays.dir_x[filled] = d[0];
      rays.dir_y[filled] = d[1];
      rays.dir_z[filled] = d[2];
      rays.tnear[filled] = 0;
      rays.tfar[filled] = 1e30f;
      rays.time[filled] = 0;
      rays.mask[filled] = 0xffffffffu;
      rays.id[filled] = 0;
      rays.flags[filled] = 0;
      month[filled++] = sky.month[sun];
      if (filled == PACKET) cast();
    }
    if (filled > 0) cast();
  }
  const double milliseconds = double(clock() - start) * 1000 / CLOCKS_PER_SEC;

  FILE* out = fopen(argv[2], "wb");
  if (!out || fwrite(seen.data(), sizeof(uint16_t), seen.size(), out) != seen.size()) return 1;
  fclose(out);
  printf("%.3f %lld\n", milliseconds, held);
  return 0;
}
