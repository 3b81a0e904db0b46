using System.Text;
using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>Commands on how long keys are there.</summary>
internal static class ExpiryCommands
{
    /// <summary>EXPIRE, PEXPIRE, EXPIREAT and PEXPIREAT.</summary>
    public static void Expire(DataCall call)
    {
        if (!TryTerms(call, out TimeSpan left, out bool isPast, out ExpiryCondition condition))
        {
            return;
        }

        KeyEntry key = call.KeyAt(1);
        if (!key.Exists || !Fits(condition, key.Expires, isPast ? TimeSpan.Zero : left))
        {
            call.Reply.Integer(0);
            return;
        }

        if (isPast)
        {
            key.Delete();
        }
        else
        {
            key.Expire(left);
        }

        call.Reply.Integer(1);
    }

    /// <summary>Reads what EXPIRE and its kin say; false: an error was answered.</summary>
    public static bool TryTerms(DataCall call, out TimeSpan left, out bool isPast, out ExpiryCondition condition)
    {
        (left, isPast, condition) = (default, false, default);
        if (!call.TryInteger(2, out long time))
        {
            return false;
        }

        string name = call.Name;
        bool isAt = name.EndsWith("at", StringComparison.Ordinal);
        if (!ExpiryTime.TryFrom(time, name[0] == 'p', isAt, call.NowMillis, out left, out isPast))
        {
            call.Reply.Error(Errors.Expiry(name));
            return false;
        }

        for (int i = 3; i < call.Count; i++)
        {
            ExpiryCondition one =
                call.Is(i, "nx"u8) ? ExpiryCondition.IfNone
                : call.Is(i, "xx"u8) ? ExpiryCondition.IfAny
                : call.Is(i, "gt"u8) ? ExpiryCondition.IfLater
                : call.Is(i, "lt"u8) ? ExpiryCondition.IfSooner
                : ExpiryCondition.Always;
            if (one == ExpiryCondition.Always)
            {
                call.Reply.Error($"ERR Unsupported option {Encoding.UTF8.GetString(call[i])}");
                return false;
            }

            condition |= one;
        }

        const ExpiryCondition Both = ExpiryCondition.IfLater | ExpiryCondition.IfSooner;
        if ((condition & ExpiryCondition.IfNone) != 0 && condition != ExpiryCondition.IfNone)
        {
            call.Reply.Error("ERR NX and XX, GT or LT options at the same time are not compatible");
            return false;
        }

        if ((condition & Both) == Both)
        {
            call.Reply.Error("ERR GT and LT options at the same time are not compatible");
            return false;
        }

        return true;
    }

    public static void Persist(DataCall call)
    {
        KeyEntry key = call.KeyAt(1);
        bool ends = key.Exists && key.Expires is not null;
        if (ends)
        {
            key.Expire(null);
        }

        call.Reply.Integer(ends ? 1 : 0);
    }

    /// <summary>TTL, PTTL, EXPIRETIME and PEXPIRETIME.</summary>
    public static void TimeLeft(DataCall call)
    {
        KeyEntry key = call.KeyAt(1);
        call.Reply.Integer(TimeLeft(call.Name, key.Exists, key.Expires, call.NowMillis));
    }

    /// <summary>What they answer.</summary>
    public static long TimeLeft(string name, bool exists, TimeSpan? expires, long nowMillis)
    {
        if (!exists || expires is not { } left)
        {
            return exists ? -1 : -2;
        }

        long millis = (long)left.TotalMilliseconds;
        return name switch
        {
            "ttl" => (millis + 500) / 1_000,
            "pttl" => millis,
            "expiretime" => (nowMillis + millis + 500) / 1_000,
            _ => nowMillis + millis,
        };
    }

    private static bool Fits(ExpiryCondition condition, TimeSpan? now, TimeSpan then) =>
        ((condition & ExpiryCondition.IfNone) == 0 || now is null)
        && ((condition & ExpiryCondition.IfAny) == 0 || now is not null)
        && ((condition & ExpiryCondition.IfLater) == 0 || then > now)
        && ((condition & ExpiryCondition.IfSooner) == 0 || now is null || then < now);
}
