namespace CamCube.Services.Collectives.Folding;

/// <summary>Adds vectors up, or does with them what the operator says: each element of the first becomes it and that of
/// the second.</summary>
/// <param name="into">The one, then the result.</param>
/// <param name="other">The other, as long.</param>
internal delegate void FoldKernel(Span<byte> into, ReadOnlySpan<byte> other);
