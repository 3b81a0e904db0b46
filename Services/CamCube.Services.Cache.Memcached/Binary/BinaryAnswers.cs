using System.Buffers.Binary;
using CamCube.FrontEnds.Buffers;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Text;

namespace CamCube.Services.Cache.Memcached.Binary;

/// <summary>Writes the answers of the binary protocol, as memcached 1.6.18. Connection's loop only.</summary>
internal static class BinaryAnswers
{
    private const int FlagsLength = 4;
    private const int NumberLength = 8;

    /// <summary>How an opcode on one key is answered; null if there is no such opcode.</summary>
    public static SlotAnswer? AnswerOf(BinaryOpcode loud) =>
        loud switch
        {
            BinaryOpcode.Get or BinaryOpcode.GetK or BinaryOpcode.Gat or BinaryOpcode.GatK => SlotAnswer.Value,
            BinaryOpcode.Touch => SlotAnswer.Touched,
            BinaryOpcode.Delete => SlotAnswer.Deleted,
            BinaryOpcode.Increment or BinaryOpcode.Decrement => SlotAnswer.Number,
            _ => BinaryCommands.HasValue(loud) ? SlotAnswer.Stored : null,
        };

    /// <summary>Writes the answer up to the value; true if the value follows.</summary>
    public static bool WriteHead(
        CommandSlot slot,
        in CacheReply reply,
        int valueLength,
        CommandCounters counters,
        ReplyBuffer output
    )
    {
        if (slot.Answer is SlotAnswer.Line or SlotAnswer.LastLine)
        {
            WriteKnown(slot, output);
            return false;
        }

        if (slot.HasFailed)
        {
            WriteError(slot, BinaryStatus.InternalError, "Internal error"u8, output);
            return false;
        }

        if (reply.Status == CacheStatus.Done)
        {
            return WriteDone(slot, reply, valueLength, output);
        }

        bool isRead = slot.Answer == SlotAnswer.Value;
        if (isRead && reply.Status == CacheStatus.TimedOut)
        {
            counters.CountGetTimeout();
        }

        if (isRead && reply.Status is CacheStatus.NotFound or CacheStatus.TimedOut)
        {
            WriteMiss(slot, output);
            return false;
        }

        BinaryStatus status = StatusOf(slot, reply.Status);
        WriteError(slot, status, TextOf(status), output);
        return false;
    }

    private static void WriteKnown(CommandSlot slot, ReplyBuffer output)
    {
        BinaryStatus status = slot.Binary.Status;
        if (status != BinaryStatus.Success)
        {
            WriteError(slot, status, TextOf(status), output);
        }
        else if (slot.Binary.Opcode == BinaryOpcode.Version)
        {
            WriteError(slot, status, TextReplies.VersionNumber, output);
        }
        else if (!slot.NoReply)
        {
            WriteHeader(slot, status, 0, 0, 0, 0, output);
        }
    }

    private static bool WriteDone(CommandSlot slot, in CacheReply reply, int valueLength, ReplyBuffer output)
    {
        if (slot.Answer == SlotAnswer.Text)
        {
            return true;
        }

        if (slot.NoReply && slot.Answer != SlotAnswer.Value)
        {
            return false;
        }

        Span<byte> extras = stackalloc byte[NumberLength];
        switch (slot.Answer)
        {
            case SlotAnswer.Value:
                ReadOnlySpan<byte> key = ReturnsKey(slot) ? slot.Key : default;
                long body = FlagsLength + key.Length + (long)valueLength;
                WriteHeader(slot, BinaryStatus.Success, key.Length, FlagsLength, body, reply.Cas, output);
                BinaryPrimitives.WriteUInt32BigEndian(extras, reply.Flags);
                output.Write(extras[..FlagsLength]);
                output.Write(key);
                return true;
            case SlotAnswer.Touched:
                WriteHeader(slot, BinaryStatus.Success, 0, FlagsLength, FlagsLength, reply.Cas, output);
                BinaryPrimitives.WriteUInt32BigEndian(extras, reply.Flags);
                output.Write(extras[..FlagsLength]);
                return false;
            case SlotAnswer.Number:
                WriteHeader(slot, BinaryStatus.Success, 0, 0, NumberLength, reply.Cas, output);
                BinaryPrimitives.WriteUInt64BigEndian(extras, reply.Number);
                output.Write(extras);
                return false;
            default:
                ulong cas = slot.Answer == SlotAnswer.Stored ? reply.Cas : 0;
                WriteHeader(slot, BinaryStatus.Success, 0, 0, 0, cas, output);
                return false;
        }
    }

    private static void WriteMiss(CommandSlot slot, ReplyBuffer output)
    {
        if (slot.NoReply)
        {
            return;
        }

        if (!ReturnsKey(slot))
        {
            WriteError(slot, BinaryStatus.NotFound, TextOf(BinaryStatus.NotFound), output);
            return;
        }

        WriteHeader(slot, BinaryStatus.NotFound, slot.Key.Length, 0, slot.Key.Length, 0, output);
        output.Write(slot.Key);
    }

    private static void WriteError(CommandSlot slot, BinaryStatus status, ReadOnlySpan<byte> text, ReplyBuffer output)
    {
        WriteHeader(slot, status, 0, 0, text.Length, 0, output);
        output.Write(text);
    }

    private static void WriteHeader(
        CommandSlot slot,
        BinaryStatus status,
        int keyLength,
        int extrasLength,
        long bodyLength,
        ulong cas,
        ReplyBuffer output
    )
    {
        Span<byte> header = stackalloc byte[BinaryHeader.Length];
        BinaryHeader.WriteAnswer(header, slot.Binary, status, keyLength, extrasLength, bodyLength, cas);
        output.Write(header);
    }

    private static bool ReturnsKey(CommandSlot slot) =>
        BinaryCommands.Loud(slot.Binary.Opcode) is BinaryOpcode.GetK or BinaryOpcode.GatK;

    private static BinaryStatus StatusOf(CommandSlot slot, CacheStatus status) =>
        status switch
        {
            CacheStatus.NotFound => BinaryStatus.NotFound,
            CacheStatus.Exists => BinaryStatus.Exists,
            CacheStatus.NotANumber => BinaryStatus.NotANumber,
            CacheStatus.NotStored => slot.Terms.Operation switch
            {
                CacheOperation.Add => BinaryStatus.Exists,
                CacheOperation.Replace => BinaryStatus.NotFound,
                _ => BinaryStatus.NotStored,
            },

            // What memcached says when the appended value fits and the whole does not.
            CacheStatus.TooLarge when slot.Terms.Operation is CacheOperation.Append or CacheOperation.Prepend =>
                BinaryStatus.NotStored,
            CacheStatus.TooLarge => BinaryStatus.TooLarge,
            CacheStatus.OutOfMemory => BinaryStatus.OutOfMemory,
            CacheStatus.TimedOut or CacheStatus.Unavailable or CacheStatus.StoreUnavailable =>
                BinaryStatus.TemporaryFailure,
            CacheStatus.NotForStore => BinaryStatus.NotSupported,
            _ => BinaryStatus.InternalError,
        };

    private static ReadOnlySpan<byte> TextOf(BinaryStatus status) =>
        status switch
        {
            BinaryStatus.NotFound => "Not found"u8,
            BinaryStatus.Exists => "Data exists for key."u8,
            BinaryStatus.TooLarge => "Too large."u8,
            BinaryStatus.InvalidArguments => "Invalid arguments"u8,
            BinaryStatus.NotStored => "Not stored."u8,
            BinaryStatus.NotANumber => "Non-numeric server-side value for incr or decr"u8,
            BinaryStatus.AuthenticationError => "Auth failure."u8,
            BinaryStatus.UnknownCommand => "Unknown command"u8,
            BinaryStatus.NotSupported => "Not supported"u8,
            BinaryStatus.OutOfMemory => "Out of memory allocating item"u8,
            BinaryStatus.TemporaryFailure => "Temporary failure"u8,
            _ => "Internal error"u8,
        };
}
