using System.Numerics;

namespace CamCube.Topology;

/// <summary>
/// Servers that are in one set and not in another, or two others, in rank order. Enumerating allocates nothing. One
/// thread.
/// </summary>
public readonly struct ServerDifference
{
    private readonly TorusShape _shape;
    private readonly ulong[] _in;
    private readonly ulong[] _notIn;
    private readonly ulong[] _norIn;

    internal ServerDifference(TorusShape shape, ulong[] contained, ulong[] notContained)
        : this(shape, contained, notContained, notContained) { }

    internal ServerDifference(TorusShape shape, ulong[] contained, ulong[] notContained, ulong[] norContained) =>
        (_shape, _in, _notIn, _norIn) = (shape, contained, notContained, norContained);

    /// <summary>Whether there is none.</summary>
    public bool IsEmpty => !GetEnumerator().MoveNext();

    /// <summary>Pattern-based enumeration.</summary>
    public Enumerator GetEnumerator() => new(_shape, _in, _notIn, _norIn);

    /// <summary>Walks the servers in rank order.</summary>
    public struct Enumerator
    {
        private readonly TorusShape _shape;
        private readonly ulong[] _in;
        private readonly ulong[] _notIn;
        private readonly ulong[] _norIn;
        private int _word;
        private ulong _rest;

        internal Enumerator(TorusShape shape, ulong[] contained, ulong[] notContained, ulong[] norContained)
        {
            (_shape, _in, _notIn, _norIn, _word) = (shape, contained, notContained, norContained, -1);
        }

        /// <summary>The current server.</summary>
        public Coordinate Current { get; private set; }

        /// <summary>Moves to the next server; false at the end.</summary>
        public bool MoveNext()
        {
            while (_rest == 0)
            {
                if (++_word >= _in.Length)
                {
                    return false;
                }

                _rest = _in[_word] & ~_notIn[_word] & ~_norIn[_word];
            }

            Current = _shape.At((_word * 64) + BitOperations.TrailingZeroCount(_rest));
            _rest &= _rest - 1;
            return true;
        }
    }
}
