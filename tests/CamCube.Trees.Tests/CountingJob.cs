using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Trees.Tests;

/// <summary>A job of which every server has a number for each of very many keys; sums them, or merges them.</summary>
internal sealed class CountingJob(TreePlan plan, bool combines) : IMergeJob<MergeRequest>
{
    public const int Keys = 10_000_000;

    public bool Combines => combines;

    public int MostRecord => 64;

    public TreePlan Plan => plan;

    public PullTerms Terms => default;

    public MergeRequest From(in VertexId vertex, MergePosition position) => new(position);

    public IRecordRun Own(in VertexId vertex, MergePosition position, Action more) => new Counting();

    public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
    {
        WriteInt64LittleEndian(result, ReadInt64LittleEndian(left) + ReadInt64LittleEndian(right));
        return sizeof(long);
    }

    public void Fail(in VertexId vertex, string words) => Assert.Fail(words);

    private sealed class Counting : IRecordRun
    {
        private readonly byte[] _key = new byte[sizeof(int)];
        private readonly byte[] _value = new byte[sizeof(long)];
        private int _at;

        public bool IsOver => _at >= Keys;

        public bool TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
        {
            WriteInt32BigEndian(_key, _at);
            WriteInt64LittleEndian(_value, _at);
            key = _key;
            value = _value;
            return _at < Keys;
        }

        public void Take() => _at++;

        public void Dispose() { }
    }
}
