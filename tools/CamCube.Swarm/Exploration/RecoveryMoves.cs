using CamCube.Services.KeyValue.Groups;

namespace CamCube.Swarm.Exploration;

/// <summary>
/// Recovery by hand: two of the three members are lost for good at once, it is proposed to go on with what is left, and
/// one of the lost stores comes back with its disk at any time after that. Both at once could not be told from a group
/// that was never given up, if they meet nobody else.
/// </summary>
internal sealed class RecoveryMoves(ExploreOptions options, LocalSteps steps)
{
    private const int Members = 3;
    private const int StandIn = 3;

    // Plans, as what is left changes.
    private const int MostProposals = 2;
    private readonly List<GroupAction> _actions = [];

    /// <summary>What can happen at a server that has to do with recovery: the step, in words, and what else is so.
    /// </summary>
    public IEnumerable<(LocalStep Step, string Told, Action<World> Also)> Of(World world, int server, bool isTold)
    {
        if (options.Recoveries == 0)
        {
            yield break;
        }

        int live = world.Live[server];
        if (server < Members && world.Lost == 0 && options.Planted != PlantedError.RecoverEarly)
        {
            int lost = 7 & ~(1 << server);
            string told = isTold ? $"all stores but {LocalSteps.NameOf(steps.States[live].Self)} are lost" : "";
            yield return (new LocalStep { State = live, Sent = [] }, told, n => Lose(n, lost));
        }

        bool mayReturn = (world.Lost >> server & 1) != 0 && world.Returned == 0 && world.Proposals > 0;
        if (mayReturn)
        {
            int disk = world.Disk[server];
            string told = isTold ? $"{LocalSteps.NameOf(steps.States[disk].Self)} comes back" : "";
            yield return (
                new LocalStep { State = disk, Sent = [] },
                told,
                n =>
                {
                    n.Returned = (byte)(server + 1);
                    n.Lost &= (byte)~(1 << server);
                    n.Fall(server, disk);
                }
            );
        }

        int named = options.Planted == PlantedError.RecoverEarly ? 3 : world.Lost;
        bool mayPropose = server == StandIn && named != 0 && world.Returned == 0 && world.Recovered == 0;
        if (mayPropose && world.Proposals < MostProposals && Plan(world, named) is { } recovery)
        {
            var message = new GroupMessage
            {
                Kind = MessageKind.Recover,
                From = steps.States[live].Self,
                To = recovery.Base,
                Recovery = recovery,
            };
            var step = new LocalStep { State = live, Sent = [steps.IdOf(message)] };
            yield return (step, isTold ? $"it is proposed to go on with {recovery}" : "", static n => n.Proposals++);
        }

        if (options.Planted == PlantedError.LetIn && world.Returned > 0 && LetIn(world, server) is { } next)
        {
            yield return (next, isTold ? "the store that came back is let in again" : "", static n => n.Changes++);
        }
    }

    private static void Lose(World world, int lost)
    {
        world.Lost = (byte)lost;
        for (int server = 0; server < Members; server++)
        {
            if ((lost >> server & 1) != 0)
            {
                // What it is does not matter until it comes back, with what is on its disk.
                world.Fall(server, world.Disk[server]);
            }
        }
    }

    // With what the others say of themselves now.
    private GroupRecovery? Plan(World world, int named)
    {
        List<GroupState> there = [];
        GroupEpoch? latest = null;
        for (int server = 0; server < World.Servers; server++)
        {
            if ((named >> server & 1) == 0)
            {
                GroupState state = steps.States[world.Live[server]];
                there.Add(state);
                latest = state.Epoch?.IsAfter(latest) == true ? state.Epoch : latest;
                latest = state.Fetching?.IsAfter(latest) == true ? state.Fetching : latest;
            }
        }

        if (latest is not { Generation: 0 })
        {
            return null;
        }

        StoreId[] members = latest.Members.ToArray();
        StoreId[] left = [.. members.Where(m => there.Exists(s => s.Self == m))];
        if (left.Length >= latest.Majority)
        {
            return null;
        }

        GroupState most = there
            .OrderByDescending(static s => s.Extent.Ballot)
            .ThenByDescending(static s => s.Extent.Index)
            .First();
        StoreId[] next = [most.Self, .. there.Select(static s => s.Self).Where(s => s != most.Self)];
        var epoch = new GroupEpoch(
            latest.Number + 1,
            next,
            new GroupMarks((byte)((1 << next.Length) - 2), 1),
            default,
            latest.Mode,
            1,
            [.. members.Except(left)]
        );
        StoreId[] asked = [.. next.Concat(left).Distinct()];
        return new GroupRecovery(epoch, asked, most.Self, most.Extent.Index, most.Extent.Ballot);
    }

    // Planted: a leader takes it for a new one.
    private LocalStep? LetIn(World world, int server)
    {
        GroupState state = steps.States[world.Live[server]];
        if (
            state is not { Role: GroupRole.Leader, EndsInNext: false, Epoch: { Generation: > 0 } epoch }
            || world.Changes > 0
        )
        {
            return null;
        }

        GroupState now = state.Copy();
        _actions.Clear();
        var step = new GroupStep(now, _actions);
        StoreId back = steps.States[world.Disk[world.Returned - 1]].Self;
        var next = new GroupEpoch(epoch.Number + 1, [.. epoch.Members, back], epoch.Marks, default, epoch.Mode, 1);
        GroupReplication.Propose(step, EntryKind.Next, 0, next);
        step.End(0);
        int[] sent = [.. _actions.Where(static a => a.Kind == ActionKind.Send).Select(a => steps.IdOf(a.Message))];
        return new LocalStep
        {
            State = steps.IdOf(now),
            Sent = sent,
            Wrote = true,
            WasLeader = true,
        };
    }
}
