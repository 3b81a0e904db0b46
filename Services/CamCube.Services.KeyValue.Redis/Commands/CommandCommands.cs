using System.Text;
using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis.Commands;

/// <summary>COMMAND: what clients ask to know where the keys of a command are.</summary>
internal static class CommandCommands
{
    public static void Run(SessionCall call)
    {
        switch (call.Count < 2 ? "" : call.TextOf(1).ToLowerInvariant())
        {
            case "":
                WriteAll(call.Reply, CommandTable.Commands);
                break;
            case "count" when call.Count == 2:
                call.Reply.Integer(CommandTable.Commands.Count);
                break;
            case "info":
                WriteAll(call.Reply, Asked(call));
                break;
            case "docs":
                WriteDocs(call.Reply, [.. Asked(call).OfType<RedisCommand>()]);
                break;
            case "list":
                List(call);
                break;
            case "getkeys" when call.Count > 2:
                WriteKeys(call);
                break;
            default:
                call.RefuseWord();
                break;
        }
    }

    private static IReadOnlyList<RedisCommand?> Asked(SessionCall call)
    {
        if (call.Count == 2)
        {
            return CommandTable.Commands;
        }

        List<RedisCommand?> asked = [];
        for (int i = 2; i < call.Count; i++)
        {
            asked.Add(CommandTable.Find(call[i]));
        }

        return asked;
    }

    private static void List(SessionCall call)
    {
        bool isFiltered = call.Count == 5 && call.Is(2, "filterby"u8) && call.Is(3, "pattern"u8);
        if (call.Count != 2 && !isFiltered)
        {
            call.Reply.Error(Errors.Syntax);
            return;
        }

        byte[] pattern = isFiltered ? call[4].ToArray() : "*"u8.ToArray();
        List<RedisCommand> fitting =
        [
            .. CommandTable.Commands.Where(c => GlobPattern.Fits(pattern, Encoding.ASCII.GetBytes(c.Name))),
        ];
        call.Reply.Array(fitting.Count);
        fitting.ForEach(command => call.Reply.Bulk(command.Name));
    }

    private static void WriteAll(Reply reply, IReadOnlyList<RedisCommand?> commands)
    {
        reply.Array(commands.Count);
        foreach (RedisCommand? command in commands)
        {
            if (command is null)
            {
                reply.NullArray();
            }
            else
            {
                WriteOne(reply, command);
            }
        }
    }

    private static void WriteOne(Reply reply, RedisCommand command)
    {
        List<string> flags = [];
        if ((command.Flags & CommandFlags.Write) != 0)
        {
            flags.Add("write");
        }

        if ((command.Flags & CommandFlags.Read) != 0)
        {
            flags.Add("readonly");
        }

        if ((command.Flags & CommandFlags.Fast) != 0)
        {
            flags.Add("fast");
        }

        if ((command.Flags & CommandFlags.Stranger) != 0)
        {
            flags.Add("no_auth");
        }

        if ((command.Flags & CommandFlags.NoMulti) != 0)
        {
            flags.Add("no_multi");
        }

        reply.Array(10);
        reply.Bulk(command.Name);
        reply.Integer(command.Arity);
        reply.Set(flags.Count);
        flags.ForEach(flag => reply.Simple(Encoding.ASCII.GetBytes(flag)));
        reply.Integer(command.FirstKey);
        reply.Integer(command.LastKey);
        reply.Integer(command.FirstKey == 0 ? 0 : command.KeyStep);
        reply.Set(1);
        reply.Simple(Encoding.ASCII.GetBytes($"@{command.Group}"));
        reply.Array(0);
        reply.Array(0);
        reply.Array(0);
    }

    private static void WriteDocs(Reply reply, IReadOnlyList<RedisCommand> commands)
    {
        reply.Map(commands.Count);
        foreach (RedisCommand command in commands)
        {
            reply.Bulk(command.Name);
            reply.Map(3);
            reply.Bulk("summary"u8);
            reply.Bulk(command.Summary);
            reply.Bulk("since"u8);
            reply.Bulk(command.Since);
            reply.Bulk("group"u8);
            reply.Bulk(command.Group);
        }
    }

    private static void WriteKeys(SessionCall call)
    {
        RedisCommand? command = CommandTable.Find(call[2]);
        int count = call.Count - 2;
        if (command is null)
        {
            call.Reply.Error("ERR Invalid command specified");
            return;
        }

        if (!command.Takes(count))
        {
            call.Reply.Error("ERR Invalid number of arguments specified for command");
            return;
        }

        if (command.FirstKey == 0)
        {
            call.Reply.Error("ERR The command has no key arguments");
            return;
        }

        int end = command.KeysEnd(count);
        call.Reply.Array((end - command.FirstKey + command.KeyStep - 1) / command.KeyStep);
        for (int i = command.FirstKey; i < end; i += command.KeyStep)
        {
            call.Reply.Bulk(call[i + 2]);
        }
    }
}
