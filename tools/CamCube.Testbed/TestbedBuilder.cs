using System.Diagnostics;
using System.Globalization;
using System.Security.Cryptography;
using CamCube.Cabling;

namespace CamCube.Testbed;

/// <summary>Makes a testbed, from the first namespace to the last server that is ready.</summary>
/// <param name="plan">What is wanted.</param>
/// <param name="progress">Gets a line per stage.</param>
public sealed class TestbedBuilder(TestbedPlan plan, Action<string> progress)
{
    private readonly TorusShape _shape = plan.Torus();

    /// <summary>
    /// Makes it and waits until all servers are ready. If the network cannot be made, or after Ctrl+C, nothing is left;
    /// if servers do not get ready, everything stays to be looked at.
    /// </summary>
    /// <exception cref="TestbedException">The line says what was in the way, or which servers are not
    /// ready.</exception>
    public async Task<TestbedState> BuildAsync(TimeSpan limit, CancellationToken cancel)
    {
        TestbedNetwork.CheckMachine();
        long begin = Stopwatch.GetTimestamp();
        using TestbedStore store = TestbedStore.Open(plan.Name);
        if (TestbedStore.Read(plan.Name) is not null)
        {
            throw new TestbedException(
                $"there is a testbed '{plan.Name}' already; 'camcube testbed down{NameOption}' removes it."
            );
        }

        var state = new TestbedState { Plan = plan };
        CheckNames(store);
        bool keep = false;
        try
        {
            var network = new TestbedNetwork(plan);
            network.MakeNamespaces(identities =>
                store.Write(state = state with { Servers = [.. identities.Select(ServerOf)] })
            );
            network.MakeCables();
            if (plan.Tunnel)
            {
                network.AllowIPv6OfCards();
            }

            progress(
                $"{_shape.Count} namespaces and {plan.Cables} {(plan.IsSwitched ? "ports" : "cables")} in "
                    + $"{Seconds(begin)} s"
            );
            cancel.ThrowIfCancellationRequested();

            Directory.CreateDirectory(TestbedStore.FolderOf(plan.Name));
            if (plan.Shim == "udp")
            {
                UdpCables.WriteKey(plan);
            }

            new TestbedDisks(plan).Make();
            WriteIdentities();
            IReadOnlyList<ProcessMark> processes = new ServerLauncher(plan).Start([
                .. Enumerable.Range(0, _shape.Count),
            ]);
            state = state with
            {
                Servers = [.. state.Servers.Zip(processes, (server, process) => server with { Process = process })],
                IsComplete = true,
            };
            store.Write(state);
            var wait = new ReadyWait(state);
            await wait.RunAsync(
                [.. Enumerable.Range(0, _shape.Count)],
                limit - Stopwatch.GetElapsedTime(begin),
                () => keep = true,
                cancel
            );
            keep = true;
            progress($"{_shape.Count} servers are ready after {Seconds(begin)} s");
            return state;
        }
        finally
        {
            if (!keep)
            {
                TestbedRemover.Remove(store, TestbedStore.Read(plan.Name) ?? state);
            }
        }
    }

    private string NameOption => plan.Name == TestbedNames.Standard ? "" : $" --name {plan.Name}";

    /// <summary>A namespace that is there already is somebody else's.</summary>
    private void CheckNames(TestbedStore store)
    {
        string? taken = Enumerable
            .Range(0, _shape.Count)
            .Select(rank => plan.NamespaceOf(_shape.At(rank)))
            .FirstOrDefault(NetworkNamespace.Exists);
        if (taken is not null)
        {
            store.Remove();
            throw new TestbedException(
                $"there is a network namespace '{taken}' that no testbed made; it is left alone. "
                    + $"Choose another name with --name."
            );
        }
    }

    /// <summary>The server with the lowest identity becomes 0,0,0, and the cabling tells the others the rest. So that
    /// servers find the places after which their namespaces are called, that of 0,0,0 gets the lowest.</summary>
    private void WriteIdentities()
    {
        for (int rank = 0; rank < _shape.Count; rank++)
        {
            string folder = TestbedStore.StateFolderOf(plan, _shape.At(rank));
            Directory.CreateDirectory(folder);
            ulong random = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(8));
            var identity = new ServerId((ulong)(rank + 1) << 48 | random >> 16);
            File.WriteAllText(Path.Combine(folder, StateText.IdentityName), StateText.OfIdentity(identity));
        }
    }

    private TestbedServer ServerOf(string identity, int rank) =>
        new(_shape.At(rank).ToString(), plan.NamespaceOf(_shape.At(rank)), identity, null);

    private static string Seconds(long begin) =>
        string.Create(CultureInfo.InvariantCulture, $"{Stopwatch.GetElapsedTime(begin).TotalSeconds:F1}");
}
