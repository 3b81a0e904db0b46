using System.Numerics;

namespace CamCube;

/// <summary>A set of links in one byte: no allocation, enumerated in fixed order (+x first, Local last). Any
/// thread.</summary>
/// <param name="Bits">Bit i stands for link i.</param>
public readonly record struct LinkSet(byte Bits)
{
    /// <summary>The empty set.</summary>
    public static LinkSet None => default;

    /// <summary>All six cables, without <see cref="Link.Local"/>.</summary>
    public static LinkSet AllCables => new(0x3F);

    /// <summary>How many links.</summary>
    public int Count => BitOperations.PopCount(Bits);

    /// <summary>True for the empty set.</summary>
    public bool IsEmpty => Bits == 0;

    /// <summary>The first link in fixed order. The set must not be empty.</summary>
    public Link First => (Link)BitOperations.TrailingZeroCount((uint)Bits);

    /// <summary>A single link is a set.</summary>
    public static implicit operator LinkSet(Link link) => new((byte)(1 << (int)link));

    /// <summary>Union.</summary>
    public static LinkSet operator |(LinkSet a, LinkSet b) => new((byte)(a.Bits | b.Bits));

    /// <summary>Intersection.</summary>
    public static LinkSet operator &(LinkSet a, LinkSet b) => new((byte)(a.Bits & b.Bits));

    /// <summary>Difference: links of <paramref name="a"/> that are not in <paramref name="b"/>.</summary>
    public static LinkSet operator -(LinkSet a, LinkSet b) => new((byte)(a.Bits & ~b.Bits));

    /// <summary>Membership.</summary>
    public bool Contains(Link link) => (Bits >> (int)link & 1) != 0;

    /// <summary>"{+x,-z}".</summary>
    public override string ToString()
    {
        var names = new List<string>(Count);
        foreach (Link link in this)
        {
            names.Add(link.Name());
        }

        return "{" + string.Join(',', names) + "}";
    }

    /// <summary>Pattern-based enumeration; allocates nothing.</summary>
    public Enumerator GetEnumerator() => new(Bits);

    /// <summary>Walks a set in fixed order. Not a ref struct, so that a loop over links may await.</summary>
    public struct Enumerator(byte bits)
    {
        private uint _rest = bits;

        /// <summary>The current link.</summary>
        public Link Current { get; private set; }

        /// <summary>Moves to the next link; false at the end.</summary>
        public bool MoveNext()
        {
            if (_rest == 0)
            {
                return false;
            }

            Current = (Link)BitOperations.TrailingZeroCount(_rest);
            _rest &= _rest - 1;
            return true;
        }
    }
}
