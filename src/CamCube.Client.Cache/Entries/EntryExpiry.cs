using System.Buffers;
using System.Buffers.Binary;
using Microsoft.Extensions.Caching.Distributed;

namespace CamCube.Client.Cache.Entries;

/// <summary>
/// When an entry ends: an absolute end, a window that every read moves on, both (the window never goes past the end),
/// or neither. It is stored twice. Before the value as a header of 1 to 17 bytes: 0x10 for version 1, + 1 if an
/// absolute end follows (UTC ticks, 8 bytes, little-endian), + 2 if a window follows (ticks, 8 bytes). And in the
/// item's client flags as far as it fits, so that a refresh of most entries needs no value: <see cref="PlainFlags"/>
/// without a window, bit 31 with a window (its seconds in bits 0 to 29), bits 31 and 30 with both. An item with other
/// flags or another header was not written by this client and counts as absent.
/// </summary>
/// <param name="End">The absolute end, UTC; null without one.</param>
/// <param name="Window">How long the entry lives without being read; null without one.</param>
internal readonly record struct EntryExpiry(DateTimeOffset? End, TimeSpan? Window)
{
    /// <summary>The longest header in bytes.</summary>
    public const int MaxHeaderLength = 17;

    /// <summary>The client flags of an entry without a window.</summary>
    public const uint PlainFlags = 0x4cac_4e01;

    private const uint WindowFlag = 1u << 31;
    private const uint BothFlags = WindowFlag | (1u << 30);
    private const uint MostWindowSeconds = (1u << 30) - 1;
    private const byte Version = 0x10;
    private const byte HasEnd = 1;
    private const byte HasWindow = 2;

    /// <summary>What the options of .NET ask for. Of two absolute ends the earlier counts.</summary>
    public static EntryExpiry From(DistributedCacheEntryOptions options, DateTimeOffset now)
    {
        DateTimeOffset? end = options.AbsoluteExpiration;
        if (options.AbsoluteExpirationRelativeToNow is { } relative)
        {
            DateTimeOffset other = relative < DateTimeOffset.MaxValue - now ? now + relative : DateTimeOffset.MaxValue;
            end = end < other ? end : other;
        }

        return new EntryExpiry(end, options.SlidingExpiration);
    }

    /// <summary>What the client flags tell.</summary>
    /// <param name="flags">The item's client flags.</param>
    /// <param name="expiry">The expiry; without the absolute end if <paramref name="isWhole"/> is false.</param>
    /// <param name="isWhole">Whether the flags say all; else the header has to be read.</param>
    /// <returns>False if the item was not written by this client.</returns>
    public static bool TryFromFlags(uint flags, out EntryExpiry expiry, out bool isWhole)
    {
        isWhole = (flags & BothFlags) != BothFlags;
        TimeSpan? window = (flags & WindowFlag) != 0 ? TimeSpan.FromSeconds(flags & MostWindowSeconds) : null;
        expiry = new EntryExpiry(null, window);
        return flags == PlainFlags || (window is not null && (flags & MostWindowSeconds) != 0);
    }

    /// <summary>Takes the header off an item's data.</summary>
    /// <returns>False if the data has no header of a version that is known here.</returns>
    public static bool TryTakeHeader(ref ReadOnlySequence<byte> data, out EntryExpiry expiry)
    {
        expiry = default;
        var reader = new SequenceReader<byte>(data);
        if (!reader.TryRead(out byte kind) || (kind & ~(HasEnd | HasWindow)) != Version)
        {
            return false;
        }

        long end = 0;
        long window = 0;
        if (
            ((kind & HasEnd) != 0 && !reader.TryReadLittleEndian(out end))
            || ((kind & HasWindow) != 0 && !reader.TryReadLittleEndian(out window))
        )
        {
            return false;
        }

        if ((ulong)end > (ulong)DateTimeOffset.MaxValue.UtcTicks)
        {
            return false;
        }

        expiry = new EntryExpiry(
            (kind & HasEnd) != 0 ? new DateTimeOffset(end, TimeSpan.Zero) : null,
            (kind & HasWindow) != 0 ? TimeSpan.FromTicks(window) : null
        );
        data = data.Slice(reader.Position);
        return true;
    }

    /// <summary>Writes the header.</summary>
    /// <param name="into">At least <see cref="MaxHeaderLength"/> bytes.</param>
    /// <returns>The number of bytes written.</returns>
    public int WriteHeader(Span<byte> into)
    {
        into[0] = Version;
        int length = 1;
        if (End is { } end)
        {
            into[0] |= HasEnd;
            BinaryPrimitives.WriteInt64LittleEndian(into[length..], end.UtcTicks);
            length += sizeof(long);
        }

        if (Window is { } window)
        {
            into[0] |= HasWindow;
            BinaryPrimitives.WriteInt64LittleEndian(into[length..], window.Ticks);
            length += sizeof(long);
        }

        return length;
    }

    /// <summary>The client flags.</summary>
    public uint Flags
    {
        get
        {
            if (Window is not { } window)
            {
                return PlainFlags;
            }

            double seconds = Math.Clamp(Math.Ceiling(window.TotalSeconds), 1, MostWindowSeconds);
            return (End is null ? WindowFlag : BothFlags) | (uint)seconds;
        }
    }

    /// <summary>Whether the absolute end has come.</summary>
    public bool HasEnded(DateTimeOffset now) => End <= now;

    /// <summary>How long the server keeps the entry if nobody reads it; null: for ever.</summary>
    public TimeToLive TimeToLive(DateTimeOffset now)
    {
        TimeSpan? left = End - now;
        return Entries.TimeToLive.Of(left < Window || Window is null ? left : Window, now);
    }
}
