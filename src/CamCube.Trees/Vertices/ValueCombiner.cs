namespace CamCube.Trees;

/// <summary>Makes one value of two, as <see cref="IMergeJob{TRequest}.Combine"/> does.</summary>
public delegate int ValueCombiner(
    ReadOnlySpan<byte> key,
    ReadOnlySpan<byte> left,
    ReadOnlySpan<byte> right,
    Span<byte> result
);
