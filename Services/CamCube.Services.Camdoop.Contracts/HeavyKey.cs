namespace CamCube.Services.Camdoop;

/// <summary>A key that many pairs have.</summary>
/// <param name="Key">Its first 64 bytes as text; what is none as in <c>\x00</c>.</param>
/// <param name="Length">All of its bytes.</param>
/// <param name="AtLeast">Pairs that it has for certain.</param>
/// <param name="AtMost">Pairs that it may have.</param>
public sealed record HeavyKey(string Key, int Length, long AtLeast, long AtMost);
