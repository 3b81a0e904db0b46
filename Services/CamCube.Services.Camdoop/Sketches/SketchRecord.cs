namespace CamCube.Services.Camdoop.Sketches;

/// <summary>A <see cref="KeySketch"/> as it travels.</summary>
/// <param name="Pairs">All pairs.</param>
/// <param name="Error">By how many pairs a count may be too low.</param>
/// <param name="Keys">The keys that it has, the heaviest first.</param>
internal sealed record SketchRecord(long Pairs, long Error, IReadOnlyList<SketchKey> Keys);
