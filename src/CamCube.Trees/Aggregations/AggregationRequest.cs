using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CamCube.Trees;

/// <summary>A pull that asks for the value of a vertex: the question, as it lies in memory.</summary>
internal readonly record struct AggregationRequest<TQuestion>(TQuestion Question)
    : IPullRequest<AggregationRequest<TQuestion>>
    where TQuestion : unmanaged
{
    public static int MostBytes => Unsafe.SizeOf<TQuestion>();

    public int Write(Span<byte> to)
    {
        MemoryMarshal.Write(to, Question);
        return MostBytes;
    }

    public static bool TryRead(ReadOnlySpan<byte> from, out AggregationRequest<TQuestion> request)
    {
        bool isOne = from.Length == MostBytes;
        request = isOne ? new(MemoryMarshal.Read<TQuestion>(from)) : default;
        return isOne;
    }
}
