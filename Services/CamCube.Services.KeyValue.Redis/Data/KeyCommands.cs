using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>Commands on keys, whatever their values.</summary>
internal static class KeyCommands
{
    /// <summary>DEL and UNLINK.</summary>
    public static void Delete(DataCall call)
    {
        long count = 0;
        for (int i = 1; i < call.Count; i++)
        {
            KeyEntry key = call.KeyAt(i);
            if (key.Exists)
            {
                key.Delete();
                count++;
            }
        }

        call.Reply.Integer(count);
    }

    /// <summary>EXISTS and TOUCH: a key that is named twice counts twice.</summary>
    public static void Exists(DataCall call)
    {
        long count = 0;
        for (int i = 1; i < call.Count; i++)
        {
            count += call.KeyAt(i).Exists ? 1 : 0;
        }

        call.Reply.Integer(count);
    }

    public static void Type(DataCall call) => call.Reply.Simple(call.KeyAt(1).Exists ? "string"u8 : "none"u8);

    /// <summary>RENAME and RENAMENX.</summary>
    public static void Rename(DataCall call)
    {
        bool isIfAbsent = call.Count > 0 && call[0].Length == "renamenx".Length;
        KeyEntry from = call.KeyAt(1),
            to = call.KeyAt(2);
        if (!from.Exists)
        {
            call.Reply.Error(Errors.NoKey);
            return;
        }

        if (isIfAbsent && to.Exists)
        {
            call.Reply.Integer(0);
            return;
        }

        if (from != to)
        {
            to.Put(from.Value, from.Expires);
            from.Delete();
        }

        if (isIfAbsent)
        {
            call.Reply.Integer(1);
        }
        else
        {
            call.Reply.Ok();
        }
    }

    /// <summary>COPY, within a table.</summary>
    public static void Copy(DataCall call)
    {
        bool replaces = false;
        for (int i = 3; i < call.Count; i++)
        {
            if (call.Is(i, "replace"u8))
            {
                replaces = true;
            }
            else if (call.Is(i, "db"u8) && i + 1 < call.Count)
            {
                if (!call.TryInteger(++i, out long table))
                {
                    return;
                }

                if (table != call.Table)
                {
                    call.Reply.Error("ERR COPY goes within one DB here: the servers of two have nothing in common");
                    return;
                }
            }
            else
            {
                call.Reply.Error(Errors.Syntax);
                return;
            }
        }

        KeyEntry from = call.KeyAt(1),
            to = call.KeyAt(2);
        if (from == to)
        {
            call.Reply.Error("ERR source and destination objects are the same");
            return;
        }

        bool isDone = from.Exists && (replaces || !to.Exists);
        if (isDone)
        {
            to.Put(from.Value, from.Expires);
        }

        call.Reply.Integer(isDone ? 1 : 0);
    }
}
