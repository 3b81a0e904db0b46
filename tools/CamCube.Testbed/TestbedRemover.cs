using System.Diagnostics;

namespace CamCube.Testbed;

/// <summary>Removes a testbed, whatever is left of it: its processes, its namespaces with their cables, its
/// files.</summary>
public static class TestbedRemover
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    /// <summary>Removes it. Answers the names of namespaces that are somebody else's now and were left alone.</summary>
    /// <exception cref="TestbedException">A process does not end; the files stay, so that this can be tried
    /// again.</exception>
    public static IReadOnlyList<string> Remove(TestbedStore store, TestbedState state)
    {
        var ours = new List<TestbedServer>();
        var foreign = new List<string>();
        foreach (TestbedServer server in state.Servers)
        {
            if (NetworkNamespace.IdentityOf(server.Namespace) is { } identity)
            {
                if (identity == server.Identity)
                {
                    ours.Add(server);
                }
                else
                {
                    foreign.Add(server.Namespace);
                }
            }
        }

        // Those whose namespace has lost its name are found too.
        EndProcesses(
            state,
            [.. state.Servers.Where(s => NetworkNamespace.IsUnique(s.Identity)).Concat(ours).Select(s => s.Identity)]
        );
        NetworkNamespaces.Delete([.. ours.Select(server => server.Namespace)]);
        string[] left =
        [
            .. ours.Where(server => NetworkNamespace.IdentityOf(server.Namespace) == server.Identity)
                .Select(server => server.Namespace),
        ];
        if (left.Length > 0)
        {
            throw new TestbedException($"these namespaces cannot be deleted: {string.Join(", ", left)}.");
        }

        new TestbedDisks(state.Plan).Remove();
        store.Remove();
        return foreign;
    }

    /// <summary>Ends the servers, and whatever else runs in the namespaces: servers that were started and not written
    /// down any more, and programs of <c>exec</c>.</summary>
    private static void EndProcesses(TestbedState state, HashSet<string> identities)
    {
        var known = state.Servers.Select(server => server.Process).OfType<ProcessMark>().ToList();
        long began = Stopwatch.GetTimestamp();
        for (; ; )
        {
            IReadOnlyList<ProcessMark> inside = identities.Count == 0 ? [] : ProcessFiles.InNamespaces(identities);
            ProcessMark[] alive = [.. known.Concat(inside).Where(process => process.IsAlive())];
            if (alive.Length == 0)
            {
                return;
            }

            if (Stopwatch.GetElapsedTime(began) > Patience)
            {
                throw new TestbedException(
                    $"these processes do not end: {string.Join(", ", alive.Select(process => process.Id))}; try again."
                );
            }

            foreach (ProcessMark process in alive)
            {
                ProcessSignals.Send(process, ProcessSignals.Kill);
            }

            Thread.Sleep(20);
        }
    }
}
