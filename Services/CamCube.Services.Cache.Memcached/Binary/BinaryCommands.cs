using System.Buffers.Binary;
using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Binary;

/// <summary>What opcodes of the binary protocol have in common. Pure.</summary>
internal static class BinaryCommands
{
    /// <summary>The opcode without its Q.</summary>
    public static BinaryOpcode Loud(BinaryOpcode opcode) =>
        opcode switch
        {
            BinaryOpcode.GetQ => BinaryOpcode.Get,
            BinaryOpcode.GetKQ => BinaryOpcode.GetK,
            BinaryOpcode.GatQ => BinaryOpcode.Gat,
            BinaryOpcode.GatKQ => BinaryOpcode.GatK,
            BinaryOpcode.SetQ => BinaryOpcode.Set,
            BinaryOpcode.AddQ => BinaryOpcode.Add,
            BinaryOpcode.ReplaceQ => BinaryOpcode.Replace,
            BinaryOpcode.DeleteQ => BinaryOpcode.Delete,
            BinaryOpcode.IncrementQ => BinaryOpcode.Increment,
            BinaryOpcode.DecrementQ => BinaryOpcode.Decrement,
            BinaryOpcode.QuitQ => BinaryOpcode.Quit,
            BinaryOpcode.FlushQ => BinaryOpcode.Flush,
            BinaryOpcode.AppendQ => BinaryOpcode.Append,
            BinaryOpcode.PrependQ => BinaryOpcode.Prepend,
            _ => opcode,
        };

    /// <summary>The operation on the cache of a loud opcode that has one.</summary>
    public static CacheOperation OperationOf(BinaryOpcode loud) =>
        loud switch
        {
            BinaryOpcode.Gat or BinaryOpcode.GatK => CacheOperation.GetAndTouch,
            BinaryOpcode.Set => CacheOperation.Set,
            BinaryOpcode.Add => CacheOperation.Add,
            BinaryOpcode.Replace => CacheOperation.Replace,
            BinaryOpcode.Append => CacheOperation.Append,
            BinaryOpcode.Prepend => CacheOperation.Prepend,
            BinaryOpcode.Delete => CacheOperation.Delete,
            BinaryOpcode.Increment => CacheOperation.Increment,
            BinaryOpcode.Decrement => CacheOperation.Decrement,
            BinaryOpcode.Touch => CacheOperation.Touch,
            _ => CacheOperation.Get,
        };

    /// <summary>
    /// Whether a request has the parts that memcached wants of its opcode. It does not look at the value behind touch,
    /// gat and stat, and then takes it for the next request.
    /// </summary>
    public static bool IsWellFormed(BinaryOpcode loud, in BinaryHeader header)
    {
        const int StoreExtras = 8,
            CountExtras = 20,
            ExpiryExtras = 4;
        bool hasKey = header.KeyLength > 0,
            hasExtras = header.ExtrasLength > 0;
        return loud switch
        {
            BinaryOpcode.Version or BinaryOpcode.Noop or BinaryOpcode.Quit or BinaryOpcode.SaslListMechanisms =>
                header.BodyLength == 0,
            BinaryOpcode.Flush => !hasKey && header.ValueLength == 0 && header.ExtrasLength is 0 or ExpiryExtras,
            BinaryOpcode.Set or BinaryOpcode.Add or BinaryOpcode.Replace => hasKey
                && header.ExtrasLength == StoreExtras,
            BinaryOpcode.Append or BinaryOpcode.Prepend => hasKey && !hasExtras,
            BinaryOpcode.Get or BinaryOpcode.GetK or BinaryOpcode.Delete => hasKey
                && !hasExtras
                && header.ValueLength == 0,
            BinaryOpcode.Increment or BinaryOpcode.Decrement => hasKey
                && header.ExtrasLength == CountExtras
                && header.ValueLength == 0,
            BinaryOpcode.Touch or BinaryOpcode.Gat or BinaryOpcode.GatK => hasKey
                && header.ExtrasLength == ExpiryExtras,
            BinaryOpcode.Stat => !hasExtras,
            BinaryOpcode.SaslAuthenticate or BinaryOpcode.SaslStep => hasKey && !hasExtras,
            _ => true,
        };
    }

    /// <summary>Whether an opcode stores a value that follows its key.</summary>
    public static bool HasValue(BinaryOpcode loud) =>
        loud
            is BinaryOpcode.Set
                or BinaryOpcode.Add
                or BinaryOpcode.Replace
                or BinaryOpcode.Append
                or BinaryOpcode.Prepend;

    /// <summary>The terms of a request on one key.</summary>
    /// <param name="loud">Its opcode without Q.</param>
    /// <param name="header">Its head.</param>
    /// <param name="extras">Its extras.</param>
    public static CacheTerms TermsOf(BinaryOpcode loud, in BinaryHeader header, ReadOnlySpan<byte> extras)
    {
        const uint NoInitial = uint.MaxValue;
        var terms = new CacheTerms { Operation = OperationOf(loud), Cas = header.Cas };
        switch (loud)
        {
            case BinaryOpcode.Set or BinaryOpcode.Add or BinaryOpcode.Replace:
                return terms with
                {
                    // As in memcached a token makes a cas of all three.
                    Operation = header.Cas != 0 ? CacheOperation.CompareAndSwap : terms.Operation,
                    Flags = BigEndian32(extras),
                    Expiry = BigEndian32(extras[4..]),
                };
            case BinaryOpcode.Increment or BinaryOpcode.Decrement:
                uint expiry = BigEndian32(extras[16..]);
                return terms with
                {
                    Delta = BigEndian64(extras),
                    Initial = BigEndian64(extras[8..]),
                    VivifyExpiry = expiry,
                    Options = expiry == NoInitial ? CacheTermOptions.None : CacheTermOptions.Vivify,
                };
            case BinaryOpcode.Touch or BinaryOpcode.Gat or BinaryOpcode.GatK:
                return terms with { Expiry = BigEndian32(extras), Cas = 0 };
            case BinaryOpcode.Get or BinaryOpcode.GetK:
                return terms with { Cas = 0 };
            default:
                return terms;
        }
    }

    private static uint BigEndian32(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt32BigEndian(bytes);

    private static ulong BigEndian64(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt64BigEndian(bytes);
}
