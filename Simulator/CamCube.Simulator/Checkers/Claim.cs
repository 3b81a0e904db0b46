using CamCube.Topology;

namespace CamCube.Simulator.Checkers;

/// <summary>What a server held itself to be from a moment on: its view, and whether it had its keys.</summary>
/// <param name="Nanos">The moment, in virtual nanoseconds.</param>
/// <param name="Rank">The server.</param>
/// <param name="View">Its view; null while it is stopped.</param>
/// <param name="HasKeys">Whether it had its keys.</param>
internal readonly record struct Claim(long Nanos, int Rank, CubeView? View, bool HasKeys);
