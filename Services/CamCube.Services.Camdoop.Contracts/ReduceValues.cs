using System.Buffers.Binary;

namespace CamCube.Services.Camdoop;

/// <summary>Values of one key, or a part of them: to be gone through by <c>foreach</c>, as often as one likes. Valid
/// for the call that it was handed to.</summary>
/// <param name="packed">Values, each behind its length in 4 bytes, the lowest first.</param>
/// <param name="isFirst">Whether they are the first of the key.</param>
/// <param name="isLast">Whether no more come of the key.</param>
public readonly ref struct ReduceValues(ReadOnlySpan<byte> packed, bool isFirst, bool isLast)
{
    private readonly ReadOnlySpan<byte> _packed = packed;

    /// <summary>They are the first of the key.</summary>
    public bool IsFirst { get; } = isFirst;

    /// <summary>No more come of the key. There may be none in the last part.</summary>
    public bool IsLast { get; } = isLast;

    /// <summary>Goes through them.</summary>
    public Enumerator GetEnumerator() => new(_packed);

    /// <summary>Goes through values.</summary>
    public ref struct Enumerator
    {
        private ReadOnlySpan<byte> _rest;

        internal Enumerator(ReadOnlySpan<byte> packed) => _rest = packed;

        /// <summary>The value that it is at.</summary>
        public ReadOnlySpan<byte> Current { get; private set; }

        /// <summary>Goes on to the next; false: that was all.</summary>
        public bool MoveNext()
        {
            if (_rest.IsEmpty)
            {
                return false;
            }

            int length = BinaryPrimitives.ReadInt32LittleEndian(_rest);
            Current = _rest.Slice(sizeof(int), length);
            _rest = _rest[(sizeof(int) + length)..];
            return true;
        }
    }
}
