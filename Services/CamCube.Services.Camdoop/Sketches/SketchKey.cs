namespace CamCube.Services.Camdoop.Sketches;

/// <summary>A key of a sketch.</summary>
/// <param name="Hash">XxHash3 of all of it: what it is told apart by.</param>
/// <param name="Pairs">Pairs that it has for certain.</param>
/// <param name="Length">Its bytes.</param>
/// <param name="Start">The first of them.</param>
internal sealed record SketchKey(ulong Hash, long Pairs, int Length, byte[] Start);
