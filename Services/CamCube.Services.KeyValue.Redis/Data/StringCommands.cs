using System.Text;
using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>Commands on whole values.</summary>
internal static class StringCommands
{
    public static void Get(DataCall call)
    {
        KeyEntry key = call.KeyAt(1);
        if (key.Exists)
        {
            call.Reply.Bulk(key.Value);
        }
        else
        {
            call.Reply.Null();
        }
    }

    public static void Set(DataCall call)
    {
        if (!SetTerms.TryRead(call, out SetTerms terms, out string error))
        {
            call.Reply.Error(error);
            return;
        }

        KeyEntry key = call.KeyAt(1);
        bool isSet = !(terms.OnlyIfAbsent && key.Exists) && !(terms.OnlyIfPresent && !key.Exists);
        if (terms.Gets)
        {
            Get(call);
        }
        else if (!isSet)
        {
            call.Reply.Null();
        }
        else
        {
            call.Reply.Ok();
        }

        if (isSet && terms.IsPast)
        {
            key.Delete();
        }
        else if (isSet)
        {
            key.Put(call[2], terms.KeepsTime ? key.Expires : terms.Expires);
        }
    }

    public static void SetIfAbsent(DataCall call)
    {
        KeyEntry key = call.KeyAt(1);
        bool isSet = !key.Exists;
        if (isSet)
        {
            key.Put(call[2]);
        }

        call.Reply.Integer(isSet ? 1 : 0);
    }

    /// <summary>SETEX and PSETEX.</summary>
    public static void SetFor(DataCall call)
    {
        bool isMillis = call.Name == "psetex";
        if (!call.TryInteger(2, out long time))
        {
            return;
        }

        if (!ExpiryTime.TryFrom(time, isMillis, isAt: false, call.NowMillis, out TimeSpan left, out _) || time <= 0)
        {
            call.Reply.Error(Errors.Expiry(call.Name));
            return;
        }

        call.KeyAt(1).Put(call[3], left);
        call.Reply.Ok();
    }

    public static void GetSet(DataCall call)
    {
        Get(call);
        call.KeyAt(1).Put(call[2]);
    }

    public static void GetDelete(DataCall call)
    {
        Get(call);
        if (call.KeyAt(1).Exists)
        {
            call.KeyAt(1).Delete();
        }
    }

    public static void GetAndExpire(DataCall call)
    {
        KeyEntry key = call.KeyAt(1);
        TimeSpan? left = null;
        bool isPast = false;
        if (call.Count > 2)
        {
            bool persists = call.Count == 3 && call.Is(2, "persist"u8);
            if (!persists && (call.Count != 4 || !ExpiryTime.IsUnit(call, 2)))
            {
                call.Reply.Error(Errors.Syntax);
                return;
            }

            if (!persists)
            {
                if (!ExpiryTime.TryRead(call, 2, out TimeSpan given, out isPast, out string error))
                {
                    call.Reply.Error(error);
                    return;
                }

                left = given;
            }
        }

        Get(call);
        if (call.Count > 2 && key.Exists)
        {
            if (isPast)
            {
                key.Delete();
            }
            else if (left is not null || key.Expires is not null)
            {
                key.Expire(left);
            }
        }
    }

    public static void GetMany(DataCall call)
    {
        call.Reply.Array(call.Count - 1);
        for (int i = 1; i < call.Count; i++)
        {
            KeyEntry key = call.KeyAt(i);
            if (key.Exists)
            {
                call.Reply.Bulk(key.Value);
            }
            else
            {
                call.Reply.Null();
            }
        }
    }

    public static void SetMany(DataCall call)
    {
        for (int i = 1; i < call.Count; i += 2)
        {
            call.KeyAt(i).Put(call[i + 1]);
        }

        call.Reply.Ok();
    }

    public static void SetManyIfAbsent(DataCall call)
    {
        bool isFree = true;
        for (int i = 1; i < call.Count; i += 2)
        {
            isFree &= !call.KeyAt(i).Exists;
        }

        for (int i = 1; isFree && i < call.Count; i += 2)
        {
            call.KeyAt(i).Put(call[i + 1]);
        }

        call.Reply.Integer(isFree ? 1 : 0);
    }

    public static void Append(DataCall call)
    {
        KeyEntry key = call.KeyAt(1);
        long length = key.Length + call[2].Length;
        if (length > call.MaxValueLength)
        {
            call.Reply.Error(Errors.TooLong);
            return;
        }

        int old = (int)key.Length;
        if (key.Exists || call[2].Length > 0)
        {
            call[2].CopyTo(key.Edit((int)length)[old..]);
        }
        else
        {
            key.Put([]);
        }

        call.Reply.Integer(length);
    }

    public static void Length(DataCall call) => call.Reply.Integer(call.KeyAt(1).Length);

    public static void GetRange(DataCall call)
    {
        if (!call.TryInteger(2, out long first) || !call.TryInteger(3, out long last))
        {
            return;
        }

        ReadOnlySpan<byte> value = call.KeyAt(1).Value;
        Range range = RangeOf(first, last, value.Length);
        call.Reply.Bulk(value[range]);
    }

    public static void SetRange(DataCall call)
    {
        if (!call.TryInteger(2, out long from))
        {
            return;
        }

        if (from < 0)
        {
            call.Reply.Error(Errors.OffsetRange);
            return;
        }

        KeyEntry key = call.KeyAt(1);
        ReadOnlySpan<byte> piece = call[3];
        if (piece.IsEmpty)
        {
            call.Reply.Integer(key.Length);
            return;
        }

        if (from > call.MaxValueLength - piece.Length)
        {
            call.Reply.Error(Errors.TooLong);
            return;
        }

        long length = Math.Max(key.Length, from + piece.Length);
        piece.CopyTo(key.Edit((int)length)[(int)from..]);
        call.Reply.Integer(length);
    }

    /// <summary>OBJECT ENCODING and its kin, as Redis would have them of such a value.</summary>
    public static void Describe(DataCall call)
    {
        KeyEntry key = call.KeyAt(2);
        if (!key.Exists)
        {
            call.Reply.Null();
        }
        else if (call.Is(1, "encoding"u8))
        {
            const int MostEmbedded = 44;
            const int MostDigits = 20;
            bool isNumber = key.Length <= MostDigits && DataCall.TryRead(key.Value, out _);
            call.Reply.Bulk(
                isNumber ? "int"
                : key.Length <= MostEmbedded ? "embstr"
                : "raw"
            );
        }
        else if (call.Is(1, "refcount"u8))
        {
            call.Reply.Integer(1);
        }
        else if (call.Is(1, "idletime"u8))
        {
            call.Reply.Integer(0);
        }
        else
        {
            call.Reply.Error($"ERR OBJECT {Encoding.UTF8.GetString(call[1])} is not kept by this store");
        }
    }

    /// <summary>Bytes from one to another, both counted from the end if they are negative.</summary>
    public static Range RangeOf(long first, long last, long length)
    {
        long from = Math.Max(0, first < 0 ? first + length : first);
        long to = Math.Min(length - 1, last < 0 ? last + length : last);
        bool isNone = (first < 0 && last < 0 && first > last) || from > to || length == 0 || to < 0;
        return isNone ? default : new Range((int)from, (int)to + 1);
    }
}
