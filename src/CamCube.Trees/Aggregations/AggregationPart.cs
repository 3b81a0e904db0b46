using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Trees;

/// <summary>
/// The value of one vertex, as who asked for it sees it: how many servers are in it, and their value. It is taken when
/// all of it is here, so a server that is lost while it sends has not counted.
/// </summary>
internal sealed class AggregationPart<TQuestion, TValue>(TQuestion question, Action<TValue, int> take)
    : IPullSink<AggregationRequest<TQuestion>>,
        IDisposable
    where TQuestion : unmanaged
    where TValue : unmanaged
{
    /// <summary>Bytes of an answer.</summary>
    public static readonly int Length = sizeof(int) + Unsafe.SizeOf<TValue>();

    private readonly byte[] _bytes = new byte[Length];
    private PullInput<AggregationRequest<TQuestion>>? _pull;

    /// <summary>Whether it is here.</summary>
    public bool IsHere { get; private set; }

    /// <summary>Writes an answer.</summary>
    public static void Write(Span<byte> to, in TValue value, int servers)
    {
        BinaryPrimitives.WriteInt32LittleEndian(to, servers);
        MemoryMarshal.Write(to[sizeof(int)..], value);
    }

    /// <summary>Asks for it. While the vertex's server is away who asks plays the vertex: what comes from there then
    /// has no value of its own.</summary>
    public void Pull(PullEndpoint<PlainHeader, AggregationRequest<TQuestion>> pulls, in VertexId vertex, Link? edge) =>
        _pull = pulls.Pull(vertex, new PullTerms { Edge = edge, StandsIn = true }, this);

    public AggregationRequest<TQuestion> From(PullInput<AggregationRequest<TQuestion>> input) => new(question);

    public void OnReadable(PullInput<AggregationRequest<TQuestion>> input)
    {
        if (IsHere || !input.HasAll)
        {
            return;
        }

        int servers = 0;
        if (
            input.Readable != Length
            || input.Peek(0, _bytes) != Length
            || (servers = BinaryPrimitives.ReadInt32LittleEndian(_bytes)) < 0
        )
        {
            // Somebody answers what cannot be: another release of the service. It may be replaced in time.
            input.Again();
            return;
        }

        input.Consume(Length);
        IsHere = true;
        take(MemoryMarshal.Read<TValue>(_bytes.AsSpan(sizeof(int))), servers);
    }

    // Whoever waits says how long.
    public bool OnRefused(PullInput<AggregationRequest<TQuestion>> input, PullRefusal why) => true;

    public void Dispose() => _pull?.Dispose();
}
