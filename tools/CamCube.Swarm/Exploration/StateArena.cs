namespace CamCube.Swarm.Exploration;

/// <summary>Packed states of one depth, one behind the other.</summary>
internal sealed class StateArena
{
    private const int ChunkBytes = 1 << 20;
    private readonly List<byte[]> _chunks = [];
    private int _chunk = -1;
    private int _at = ChunkBytes;

    public int Count { get; private set; }

    public void Add(ReadOnlySpan<byte> state)
    {
        if (_at + state.Length + 2 > ChunkBytes)
        {
            _chunk++;
            _at = 0;
            if (_chunk == _chunks.Count)
            {
                _chunks.Add(new byte[ChunkBytes]);
            }
        }

        Span<byte> to = _chunks[_chunk].AsSpan(_at);
        System.Buffers.Binary.BinaryPrimitives.WriteUInt16LittleEndian(to, (ushort)state.Length);
        state.CopyTo(to[2..]);
        _at += state.Length + 2;
        Count++;

        // The end of a chunk is told by a length of 0.
        if (_at + 2 <= ChunkBytes)
        {
            to[(state.Length + 2)..(state.Length + 4)].Clear();
        }
    }

    public void Clear() => (_chunk, _at, Count) = (-1, ChunkBytes, 0);

    /// <summary>All of them, in the order in which they were added.</summary>
    public IEnumerable<ReadOnlyMemory<byte>> All()
    {
        int left = Count;
        for (int chunk = 0; left > 0; chunk++)
        {
            byte[] bytes = _chunks[chunk];
            for (int at = 0; at + 2 <= ChunkBytes && left > 0; left--)
            {
                int length = System.Buffers.Binary.BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(at));
                if (length == 0)
                {
                    break;
                }

                yield return bytes.AsMemory(at + 2, length);
                at += length + 2;
            }
        }
    }
}
