using System.Runtime.InteropServices;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Wire;
using MessageKind = CamCube.Services.KeyValue.Groups.MessageKind;

namespace CamCube.Services.KeyValue.Salvage;

/// <summary>
/// Recovery by hand (<c>kv recover</c>), from any server: asks all others what they have, has all of them write down
/// who is given up, and proposes to each group that cannot go on by itself how it does. What is decided the groups
/// decide (<see cref="GroupRecovery"/>), so it may be begun again after an end at any point, and by several. Loop only.
/// </summary>
internal sealed class Recoverer(
    IServer server,
    KeyValueOptions options,
    MessageChannel<KeyValueHeader> channel,
    MemberHost host
)
{
    private const int MostAsks = 15;
    private const int MostRounds = 25;
    private readonly SurveySource _source = new(server, host);
    private readonly ReplyTable<Survey> _surveys = new(server, server.Shape.Count);
    private readonly ReplyTable<(Coordinate From, bool IsWritten)> _bans = new(server, server.Shape.Count);
    private readonly WireWriter _writer = new();

    /// <summary>Whether somebody waits for what begins to arrive.</summary>
    public bool IsWanted(in KeyValueHeader header) =>
        (header.Type == MessageType.Survey && _surveys.IsOpen(header.Question)) || header.Type == MessageType.Ban;

    /// <summary>A message arrived. False: it cannot be read.</summary>
    public bool OnMessage(in KeyValueHeader header, Coordinate from, ReadOnlySpan<byte> content)
    {
        switch (header.Type)
        {
            case MessageType.SurveyAsk when host.IsOpen:
                _writer.Clear();
                _source.Take().Write(_writer);
                KeyValueHeader said = KeyValueHeader.Answering(header, MessageType.Survey);
                channel.Send(said, default, _writer.Written.ToArray(), from);
                return true;
            case MessageType.Survey:
                Survey? survey = Survey.Read(content);
                if (survey?.Store.Server == from)
                {
                    _surveys.TryAdd(header.Question, survey);
                }

                return survey?.Store.Server == from;
            case MessageType.Ban when host.IsOpen:
                return OnBan(header, from, content);
            case MessageType.BanSaid when content.Length == 1:
                _bans.TryAdd(header.Question, (from, content[0] != 0));
                return true;
            default:
                return header.Type is MessageType.SurveyAsk or MessageType.Ban;
        }
    }

    /// <summary>Plans, and does what is planned if that is wanted.</summary>
    /// <param name="named">Servers whose stores are gone for good.</param>
    /// <param name="does">Do it.</param>
    /// <param name="only">Of their stores these only (<see cref="GroupText"/>), as an earlier outcome has them; null:
    /// all that do not answer.</param>
    public async ValueTask<RecoverOutcome> RunAsync(
        IReadOnlySet<Coordinate> named,
        bool does,
        IReadOnlySet<string>? only = null
    )
    {
        RecoverPlanner planner = await PlanAsync(named, only);
        List<GroupPlan> plans = planner.Refusal is null ? planner.Plan() : [];
        var outcome = new RecoverOutcome
        {
            Refusal = planner.Refusal,
            Lost = planner.Lost,
            Plans = plans,
            Healthy = planner.Healthy,
            Left = plans.Count,
        };
        if (planner.Refusal is not null || !does || (plans.Count == 0 && planner.Lost.Length == 0))
        {
            return outcome;
        }

        // First everybody knows who is given up: then nobody who was asked can be by another recovery.
        (List<Coordinate> unwritten, string? conflict) =
            host.Mistake == PlantedMistake.ForgetsBans ? ([], null) : await BanAsync(planner);
        if (conflict is not null || unwritten.Count > 0)
        {
            return outcome with { Refusal = conflict, Unwritten = unwritten };
        }

        // These are given up, and no others: a server that is named may be there with another disk by now, which is not
        // lost because it does not answer for a while.
        only ??= outcome.Lost.Select(GroupText.Of).ToHashSet(StringComparer.Ordinal);
        List<GroupPlan> left = plans;
        for (int round = 0; round < MostRounds && left.Count > 0; round++)
        {
            foreach (GroupPlan plan in left)
            {
                Propose(plan);
            }

            await server.DelayAsync(options.Silence / 2);
            planner = await PlanAsync(named, only);
            if (planner.Refusal is not null)
            {
                // Who was there is not any more; what is left can be done when it is, or is named.
                return outcome with { Refusal = planner.Refusal, Left = left.Count };
            }

            left = planner.Plan();
        }

        return outcome with
        {
            Left = left.Count,
        };
    }

    private async ValueTask<RecoverPlanner> PlanAsync(IReadOnlySet<Coordinate> named, IReadOnlySet<string>? only)
    {
        Dictionary<Coordinate, Survey> surveys = new() { [server.Coordinate] = _source.Take() };
        using Replies<Survey> question = _surveys.Ask();
        var header = new KeyValueHeader { Type = MessageType.SurveyAsk, Question = question.Id };
        for (int asks = 0; asks < MostAsks; asks++)
        {
            Coordinate[] missing = [.. Others().Where(at => !surveys.ContainsKey(at))];
            foreach (Coordinate at in missing)
            {
                channel.Send(header, default, default, at);
            }

            if (missing.Length > 0)
            {
                await question.WaitAsync(missing.Length, options.Silence);
            }

            // Who was asked twice may answer twice.
            for (int i = 0; i < question.Count; i++)
            {
                surveys[question[i].Store.Server] = question[i];
            }

            question.Clear();
            if (missing.All(at => surveys.ContainsKey(at) || (named.Contains(at) && !server.Topology.IsReachable(at))))
            {
                break;
            }
        }

        return new RecoverPlanner(server.Shape, options, surveys, named, only);
    }

    private async ValueTask<(List<Coordinate> Unwritten, string? Conflict)> BanAsync(RecoverPlanner planner)
    {
        StoreId[] there = [.. planner.There];
        _writer.Clear();
        StoreId[] banned = [.. planner.Banned];
        _writer.UInt((uint)banned.Length);
        EpochFormat.Write(_writer, banned);
        EpochFormat.Write(_writer, there);
        byte[] content = _writer.Written.ToArray();
        host.Ban(content.AsSpan(sizeof(uint), banned.Length * EpochFormat.StoreLength));
        HashSet<Coordinate> written = [];
        using Replies<(Coordinate From, bool IsWritten)> question = _bans.Ask();
        var header = new KeyValueHeader { Type = MessageType.Ban, Question = question.Id };
        for (int asks = 0; asks < MostAsks; asks++)
        {
            Coordinate[] missing = [.. there.Select(static s => s.Server).Where(at => !written.Contains(at))];
            foreach (Coordinate at in missing.Where(at => at != server.Coordinate))
            {
                channel.Send(header, content, default, at);
            }

            await question.WaitAsync(Math.Max(1, missing.Length), options.Silence / 2);
            for (int i = 0; i < question.Count; i++)
            {
                if (!question[i].IsWritten)
                {
                    return (
                        [],
                        $"{question[i].From} knows that one of those that answered was given up before: "
                            + "name that one, too"
                    );
                }

                written.Add(question[i].From);
            }

            question.Clear();
            if (host.Bans.IsSafe)
            {
                written.Add(server.Coordinate);
            }

            if (there.All(s => written.Contains(s.Server)))
            {
                return ([], null);
            }
        }

        return ([.. there.Select(static s => s.Server).Where(at => !written.Contains(at))], null);
    }

    private bool OnBan(in KeyValueHeader header, Coordinate from, ReadOnlySpan<byte> content)
    {
        if (content.Length < sizeof(uint))
        {
            return false;
        }

        uint count = MemoryMarshal.Read<uint>(content);
        ReadOnlySpan<byte> stores = content[sizeof(uint)..];
        if (stores.Length % EpochFormat.StoreLength != 0 || count > stores.Length / EpochFormat.StoreLength)
        {
            return false;
        }

        var reader = new WireReader(stores[((int)count * EpochFormat.StoreLength)..]);
        bool isConflict = false;
        while (reader.Left > 0)
        {
            isConflict |= host.Bans.Has(EpochFormat.ReadStore(ref reader));
        }

        if (!isConflict)
        {
            host.Ban(stores[..((int)count * EpochFormat.StoreLength)]);
        }

        if (isConflict || host.Bans.IsSafe)
        {
            KeyValueHeader said = KeyValueHeader.Answering(header, MessageType.BanSaid);
            channel.Send(said, isConflict ? [(byte)0] : [(byte)1], default, from);
        }

        return true;
    }

    private void Propose(GroupPlan plan)
    {
        var message = new GroupMessage
        {
            Kind = MessageKind.Recover,
            From = host.Store,
            To = plan.Recovery.Base,
            Recovery = plan.Recovery,
        };
        if (message.To == host.Store)
        {
            host.Take(plan.Group, message);
            return;
        }

        _writer.Clear();
        GroupMessageFormat.Write(_writer, plan.Group, message, 0, static _ => throw new InvalidOperationException());
        var header = new KeyValueHeader { Type = MessageType.Groups };
        channel.Send(header, default, _writer.Written.ToArray(), message.To.Server);
    }

    private IEnumerable<Coordinate> Others() =>
        Enumerable.Range(0, server.Shape.Count).Select(server.Shape.At).Where(at => at != server.Coordinate);
}
