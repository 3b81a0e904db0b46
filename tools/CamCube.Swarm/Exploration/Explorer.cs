namespace CamCube.Swarm.Exploration;

/// <summary>
/// Visits, breadth first, every state of a small group that can come about within bounds, with the protocol that
/// servers run. The first state that breaks an invariant ends it, and its way there is a shortest one.
/// </summary>
public static class Explorer
{
    private const int MostPackedBytes = 4_096;

    /// <summary>Explores on the calling thread.</summary>
    /// <param name="options">What may happen.</param>
    /// <param name="progress">Called after each depth with the states visited and the depth.</param>
    /// <param name="cancel">Ends it early, with an <see cref="OperationCanceledException"/>.</param>
    public static ExploreResult Run(
        ExploreOptions options,
        Action<int, int>? progress = null,
        CancellationToken cancel = default
    )
    {
        var moves = new WorldMoves(options);
        var visited = new VisitedSet(options.States);
        List<int> parents = [];
        List<ushort> choices = [];
        var current = new StateArena();
        var next = new StateArena();
        byte[] packed = new byte[MostPackedBytes];
        World world = moves.First();
        int length = world.Pack(packed);
        visited.Add(packed.AsSpan(0, length));
        next.Add(packed.AsSpan(0, length));
        parents.Add(-1);
        choices.Add(0);
        long transitions = 0;
        int id = 0;
        for (int depth = 0; next.Count > 0; depth++)
        {
            (current, next) = (next, current);
            next.Clear();
            foreach (ReadOnlyMemory<byte> state in current.All())
            {
                world.Unpack(state.Span);
                string? violation = null;
                ushort choice = 0;
                ushort broken = 0;
                moves.Each(
                    world,
                    (to, breaks, _) =>
                    {
                        transitions++;
                        if (breaks is not null && violation is null)
                        {
                            (violation, broken) = (breaks, choice);
                        }

                        int size = to.Pack(packed);
                        if (violation is null && visited.Add(packed.AsSpan(0, size)))
                        {
                            next.Add(packed.AsSpan(0, size));
                            parents.Add(id);
                            choices.Add(choice);
                        }

                        choice++;
                    }
                );
                if (violation is not null)
                {
                    List<string> trace = Told(moves, parents, choices, id, broken);
                    return new ExploreResult(parents.Count, transitions, depth + 1, false, violation, trace);
                }

                id++;
                if (parents.Count >= options.States)
                {
                    return new ExploreResult(parents.Count, transitions, depth + 1, false, null, []);
                }
            }

            cancel.ThrowIfCancellationRequested();
            progress?.Invoke(parents.Count, depth);
        }

        return new ExploreResult(parents.Count, transitions, DepthOf(parents), true, null, []);
    }

    private static int DepthOf(List<int> parents)
    {
        int depth = 0;
        for (int id = parents[^1]; id >= 0; id = parents[id])
        {
            depth++;
        }

        return depth;
    }

    private static List<string> Told(WorldMoves moves, List<int> parents, List<ushort> choices, int id, ushort last)
    {
        List<ushort> way = [last];
        for (; id > 0; id = parents[id])
        {
            way.Add(choices[id]);
        }

        way.Reverse();
        moves.IsTold = true;
        List<string> trace = [];
        World world = moves.First();
        foreach (ushort wanted in way)
        {
            var taken = new World();
            int choice = 0;
            moves.Each(
                world,
                (to, _, told) =>
                {
                    if (choice++ == wanted)
                    {
                        taken.CopyFrom(to);
                        trace.Add(told);
                    }
                }
            );
            world = taken;
        }

        return trace;
    }
}
