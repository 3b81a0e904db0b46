using CamCube.Services.KeyValue.Groups;

namespace CamCube.Swarm.Exploration;

/// <summary>
/// Time as far as leases need it: a lease, or a promise, is over at any moment, but no promise while a lease lasts that
/// counts on it. That clocks keep that order is what the store assumes of them. What a majority has is applied in these
/// groups: so others can go on without the leader whose lease lasts.
/// </summary>
internal sealed class LeaseMoves(ExploreOptions options, LocalSteps steps)
{
    /// <summary>What the group promises.</summary>
    public GroupMode Mode => options.Leases > 0 ? new GroupMode(true, 1) : default;

    /// <summary>What can happen at a server that has to do with leases: the step, in words, and what else is so.
    /// </summary>
    public IEnumerable<(LocalStep Step, string Told, Action<World> Also)> Of(
        World world,
        int server,
        GroupState state,
        bool isTold
    )
    {
        string name = isTold ? LocalSteps.NameOf(state.Self) : "";
        int live = world.Live[server];
        if (state.IsHeld && MayEnd(world, state))
        {
            LocalStep over = steps.Take(live, "hold over", GroupEvent.Of(EventKind.HoldOver));
            yield return (over, isTold ? $"the promise of {name} is over" : "", n => End(n, state));
        }

        if (world.LeaseServer == server + 1)
        {
            var nothing = new LocalStep { State = live, Sent = [] };
            yield return (nothing, isTold ? $"the lease of {name} is over" : "", static n => n.LeaseServer = 0);
        }

        if (state.Role == GroupRole.Leader && world.Offers < options.Leases)
        {
            int to = state.Position == 0 ? 1 : 0;
            var offer = new GroupEvent { Kind = EventKind.HandOverDue, Position = to };
            string told = isTold ? $"{name} offers its place to member {to}" : "";
            yield return (steps.Take(live, $"offer {to}", offer), told, static n => n.Offers++);
        }
    }

    private bool MayEnd(World world, GroupState state)
    {
        if (world.LeaseServer == 0 || options.Planted == PlantedError.HoldShort)
        {
            return true;
        }

        // Who was started anew does not know whom it has promised.
        GroupState leader = steps.States[world.Live[world.LeaseServer - 1]];
        return state.Held.Term != uint.MaxValue && state.Held != leader.Ballot;
    }

    // What is confirmed with it afterwards gives no lease any more, since that would begin with the question.
    private static void End(World world, GroupState state)
    {
        bool isOfRead =
            world.Read == 1 && (state.Held.Term == uint.MaxValue || WorldRules.CodeOf(state.Held) == world.ReadBallot);
        world.LeaseSpent |= isOfRead ? (byte)1 : (byte)0;
    }
}
