using System.Text;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Text;

/// <summary>Lines of memcached 1.6.18, byte for byte, and the three of a cache on many servers. Pure.</summary>
internal static class TextReplies
{
    private static readonly byte[] VersionLine = Encoding.ASCII.GetBytes($"VERSION {ProtocolVersion.Text}\r\n");

    /// <summary>Told to a client over the limit of connections.</summary>
    public static ReadOnlySpan<byte> TooManyConnections => "ERROR Too many open connections\r\n"u8;

    /// <summary>The version without a word before it.</summary>
    public static ReadOnlySpan<byte> VersionNumber => VersionLine.AsSpan()["VERSION ".Length..^"\r\n".Length];

    /// <summary>The text of a line, with its end.</summary>
    public static ReadOnlySpan<byte> Of(TextReply line) =>
        line switch
        {
            TextReply.Ok => "OK\r\n"u8,
            TextReply.End => "END\r\n"u8,
            TextReply.Error => "ERROR\r\n"u8,
            TextReply.Reset => "RESET\r\n"u8,
            TextReply.Version => VersionLine,
            TextReply.Stored => "STORED\r\n"u8,
            TextReply.NotStored => "NOT_STORED\r\n"u8,
            TextReply.Exists => "EXISTS\r\n"u8,
            TextReply.NotFound => "NOT_FOUND\r\n"u8,
            TextReply.Deleted => "DELETED\r\n"u8,
            TextReply.Touched => "TOUCHED\r\n"u8,
            TextReply.BadFormat => "CLIENT_ERROR bad command line format\r\n"u8,
            TextReply.BadFormatOfDelete => "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n"u8,
            TextReply.BadDataChunk => "CLIENT_ERROR bad data chunk\r\n"u8,
            TextReply.BadExpiry => "CLIENT_ERROR invalid exptime argument\r\n"u8,
            TextReply.BadDelta => "CLIENT_ERROR invalid numeric delta argument\r\n"u8,
            TextReply.BadCommandLine => "CLIENT_ERROR bad command line\r\n"u8,
            TextReply.DetailUsage => "CLIENT_ERROR usage: stats detail on|off|dump\r\n"u8,
            TextReply.NoCacheDump => "CLIENT_ERROR stats cachedump not allowed\r\n"u8,
            TextReply.NotANumber => "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n"u8,
            TextReply.MetaNoop => "MN\r\n"u8,
            TextReply.OptionsAreTooLong => "CLIENT_ERROR options flags are too long\r\n"u8,
            TextReply.OptionsTooLong => "CLIENT_ERROR options flags too long\r\n"u8,
            TextReply.DuplicateFlag => "CLIENT_ERROR duplicate flag\r\n"u8,
            TextReply.InvalidFlag => "CLIENT_ERROR invalid flag\r\n"u8,
            TextReply.InvalidOrDuplicateFlag => "CLIENT_ERROR invalid or duplicate flag\r\n"u8,
            TextReply.BadBase64 => "CLIENT_ERROR error decoding key\r\n"u8,
            TextReply.BadToken => "CLIENT_ERROR bad token in command line format\r\n"u8,
            TextReply.BadModeLength => "CLIENT_ERROR incorrect length for M token\r\n"u8,
            TextReply.BadSetMode => "CLIENT_ERROR invalid mode for ms M token\r\n"u8,
            TextReply.BadArithmeticMode => "CLIENT_ERROR invalid mode for ma M token\r\n"u8,
            TextReply.BadInitial => "CLIENT_ERROR invalid numeric initial value\r\n"u8,
            TextReply.BadMetaDelta => "CLIENT_ERROR invalid numeric delta value\r\n"u8,
            TextReply.OpaqueTooLong => "CLIENT_ERROR opaque token too long\r\n"u8,
            TextReply.LineTooLong => "CLIENT_ERROR line too long\r\n"u8,
            TextReply.TooLarge => "SERVER_ERROR object too large for cache\r\n"u8,
            TextReply.OutOfMemoryStoring => "SERVER_ERROR out of memory storing object\r\n"u8,
            TextReply.OutOfMemory => "SERVER_ERROR out of memory\r\n"u8,
            TextReply.NoShutdown => "ERROR: shutdown not enabled\r\n"u8,
            TextReply.BadShutdownMode => "CLIENT_ERROR invalid shutdown mode\r\n"u8,
            TextReply.NoFlushAll => "CLIENT_ERROR flush_all not allowed\r\n"u8,
            TextReply.Unauthenticated => "CLIENT_ERROR unauthenticated\r\n"u8,
            TextReply.AuthTermination => "CLIENT_ERROR bad command line termination\r\n"u8,
            TextReply.AuthFormat => "CLIENT_ERROR bad authentication token format\r\n"u8,
            TextReply.AuthFailure => "CLIENT_ERROR authentication failure\r\n"u8,
            TextReply.NoTls => "Error TLS not enabled\r\n"u8,
            TextReply.BadSlabClass => "CLIENT_ERROR Illegal slab id\r\n"u8,
            TextReply.NoWatch => "CLIENT_ERROR watch commands not allowed\r\n"u8,
            TextReply.NoCrawler => "CLIENT_ERROR lru crawler disabled\r\n"u8,
            TextReply.NoReassignment => "CLIENT_ERROR slab reassignment disabled\r\n"u8,
            TextReply.CrawlerSleepTooLong => "CLIENT_ERROR sleep must be one second or less\r\n"u8,
            TextReply.MemoryLimitTooSmall => "MEMLIMIT_TOO_SMALL cannot set maxbytes to less than 8m\r\n"u8,
            TextReply.MemoryLimitInBytes => "MEMLIMIT_ADJUST_FAILED input value is megabytes not bytes\r\n"u8,
            TextReply.MemoryLimitRefused => "MEMLIMIT_ADJUST_FAILED out of bounds or unable to adjust\r\n"u8,
            TextReply.LruPercentTooHigh => "ERROR hot and warm pcts must not exceed 80\r\n"u8,
            TextReply.LruFactorTooLow => "ERROR hot/warm age factors must be greater than 0\r\n"u8,
            TextReply.TimedOut => "SERVER_ERROR timed out, it is not known whether the change was made\r\n"u8,
            TextReply.Unavailable => "SERVER_ERROR this server is cut off from the cube or stopping\r\n"u8,
            TextReply.StoreUnavailable => "SERVER_ERROR the store that keeps this key cannot do it now\r\n"u8,
            TextReply.NotForStore => "SERVER_ERROR not possible with a key that the store keeps\r\n"u8,
            TextReply.Nothing => default,
            _ => "SERVER_ERROR internal error\r\n"u8,
        };

    /// <summary>
    /// The line that answers a slot whose work has ended, where the answer is one line without a number.
    /// </summary>
    public static TextReply Of(CommandSlot slot, CacheStatus status)
    {
        if (slot.Answer is SlotAnswer.Line or SlotAnswer.LastLine)
        {
            return slot.Line;
        }

        if (slot.HasFailed)
        {
            return TextReply.InternalError;
        }

        return status switch
        {
            CacheStatus.Done => OfSuccess(slot.Answer),
            _ when slot.Answer == SlotAnswer.MemoryLimit => TextReply.MemoryLimitRefused,
            CacheStatus.NotFound => TextReply.NotFound,
            CacheStatus.NotStored => TextReply.NotStored,
            CacheStatus.Exists => TextReply.Exists,
            CacheStatus.NotANumber => TextReply.NotANumber,

            // What memcached says when the appended value fits and the whole does not.
            CacheStatus.TooLarge when slot.Terms.Operation is CacheOperation.Append or CacheOperation.Prepend =>
                TextReply.NotStored,
            CacheStatus.TooLarge => TextReply.TooLarge,
            CacheStatus.OutOfMemory when slot.Answer is SlotAnswer.Stored or SlotAnswer.MetaStored =>
                TextReply.OutOfMemoryStoring,
            CacheStatus.OutOfMemory => TextReply.OutOfMemory,
            CacheStatus.TimedOut => TextReply.TimedOut,
            CacheStatus.Unavailable => TextReply.Unavailable,
            CacheStatus.StoreUnavailable => TextReply.StoreUnavailable,
            CacheStatus.NotForStore => TextReply.NotForStore,
            _ => TextReply.InternalError,
        };
    }

    private static TextReply OfSuccess(SlotAnswer answer) =>
        answer switch
        {
            SlotAnswer.Stored => TextReply.Stored,
            SlotAnswer.Deleted => TextReply.Deleted,
            SlotAnswer.Touched => TextReply.Touched,
            SlotAnswer.Flushed or SlotAnswer.MemoryLimit => TextReply.Ok,
            _ => TextReply.InternalError,
        };
}
