namespace CamCube.Services.Collectives;

/// <summary>Makes two vectors of a service's own elements one, element by element. It must be associative and depend on
/// its input only, or members have different results. Runs off the loop, on several threads at a time: it touches
/// nothing of the server. Whatever it does with <paramref name="into"/> before it throws is nobody's result.</summary>
/// <param name="into">Whole elements: those of a member, then the result.</param>
/// <param name="other">As many: those of a member behind it in the order of the tree.</param>
public delegate void ReduceElements(Span<byte> into, ReadOnlySpan<byte> other);
