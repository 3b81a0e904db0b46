using CamCube.Administration.Answers;
using CamCube.Hosting.Control;
using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Loading;
using CamCube.Hosting.Observing;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Services;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Reloading;

/// <summary>
/// Puts new code in the place of a service that runs, server by server. All that can be known before is checked before:
/// the assembly, its settings, and whether the service can be made and started. A server where it does not start goes
/// on with the old code, and the roll ends there. One order at a time. Any thread.
/// </summary>
internal sealed class ServiceReloader(
    ICube cube,
    ReloadParts parts,
    FrontEndSet frontEnds,
    HostControl control,
    CubeMetrics metrics,
    ILoggerFactory loggers,
    TimeProvider time
)
{
    private readonly GenerationLoader _loader = new(parts, loggers, time);
    private readonly TrialRun _trial = new(cube.Shape, parts.Servers, parts.Options.Timeout, time);
    private readonly ILogger _logger = loggers.CreateLogger<ServiceReloader>();
    private readonly List<ServiceFamily> _families = [];
    private string? _running;

    /// <summary>Reloads a service, and the others of its assembly with it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="from">A folder or an assembly below the root; null: from where the host loaded it.</param>
    /// <exception cref="ReloadRefusedException">Nothing was changed.</exception>
    public async Task<ReloadAnswer> ReloadAsync(string name, string? from)
    {
        if (Interlocked.CompareExchange(ref _running, name, null) is { } other)
        {
            throw new ReloadRefusedException(
                ReloadRefusal.Busy,
                $"a reload of '{other}' runs already; try again when it has ended."
            );
        }

        try
        {
            ServiceFamily family = FamilyOf(name);
            ServiceGeneration now = family.InUse[0];
            ServiceGeneration next = _loader.Load(now, PathOf(family, now, from));
            if (await _trial.TryAsync(cube.Shape.At(cube.LocalRanks[0]), DefinitionsOf(next)) is { } reason)
            {
                next.Plugin.Unload();
                throw new ReloadRefusedException(ReloadRefusal.Unfit, reason);
            }

            return await RollAsync(name, family, next);
        }
        finally
        {
            Volatile.Write(ref _running, null);
        }
    }

    private static IReadOnlyList<ServiceDefinition> DefinitionsOf(ServiceGeneration generation) =>
        [.. generation.Services.Select(service => service.Definition)];

    private ServiceFamily FamilyOf(string name)
    {
        if (_families.Find(family => family.Names.Contains(name)) is { } known)
        {
            return known;
        }

        IReadOnlyList<LoadedService> all = parts.Services.Services;
        if (all.FirstOrDefault(service => service.Definition.Name == name) is not { } named)
        {
            throw new ReloadRefusedException(
                ReloadRefusal.NotFound,
                ServiceWords.NoService(
                    name,
                    cube.Shape.At(cube.LocalRanks[0]),
                    all.Select(service => service.Definition.Name)
                )
            );
        }

        PluginAssembly plugin = named.Plugin!;
        ServiceFamily family = new(
            new ServiceGeneration(
                plugin,
                [.. all.Where(service => service.Plugin == plugin)],
                [.. frontEnds.Definitions.Where(definition => plugin.Types.Contains(definition.Plan.Type))]
            ),
            cube.LocalRanks
        );
        _families.Add(family);
        return family;
    }

    private string PathOf(ServiceFamily family, ServiceGeneration now, string? from)
    {
        if (from is null)
        {
            return family.Path;
        }

        string root = parts.Options.Root ?? parts.ServicesFolder;
        string? fault = ReloadRoot.TryFind(root, from, out string path);

        // What is in the folder may be a link, too.
        string same = Path.Combine(path, Path.GetFileName(now.Plugin.Path));
        fault ??= PluginFinder.TryFind(path, File.Exists(same) ? same : path, out path);
        fault ??= ReloadRoot.TryFind(root, path, out path);
        return fault is null ? path : throw new ReloadRefusedException(ReloadRefusal.Unfit, $"'{from}': {fault}.");
    }

    private async Task<ReloadAnswer> RollAsync(string name, ServiceFamily family, ServiceGeneration next)
    {
        IReadOnlyList<ServiceGeneration> before = family.InUse;
        parts.Services.Add(next.Plugin);
        List<ReloadedServerAnswer> servers = [];
        string? problem = null;
        bool isCertain = true;
        foreach (int rank in cube.LocalRanks)
        {
            string outcome = "old";
            if (problem is null)
            {
                Coordinate server = cube.Shape.At(rank);
                try
                {
                    ReplaceResult result = await ReplaceAsync(rank, family.At(rank), next);
                    (outcome, problem) = result.Status switch
                    {
                        ReplaceStatus.Done => ("new", null),
                        ReplaceStatus.Later => ("stopped", null),
                        _ => ("old", $"server {server}: {result.Reason}; it goes on with the old code."),
                    };
                    if (result.Status != ReplaceStatus.Refused)
                    {
                        family.Set(rank, next);
                    }
                }
                catch (HostNotReadyException)
                {
                    problem = $"the host stops; server {server} was the next.";
                }
                catch (TimeoutException)
                {
                    (outcome, isCertain) = ("unknown", false);
                    problem = $"server {server} did not come to it in time; which code it has is not known.";
                    family.Set(rank, next);
                }
            }

            PluginAssembly has = family.At(rank).Plugin;
            servers.Add(new ReloadedServerAnswer(rank, $"{cube.Shape.At(rank)}", outcome, has.Version, has.Hash));
        }

        problem ??= Fallen(family, next);
        List<string> notes = [];
        if (isCertain)
        {
            notes.AddRange(Settle(family, before, next));
        }

        metrics.AddCountersOfServices();
        Log(name, next.Plugin, problem);
        return new ReloadAnswer(name, next.Plugin.Version, next.Plugin.Hash, servers)
        {
            Also = [.. family.Names.Where(other => other != name)],
            Problem = problem,
            Notes = notes,
        };
    }

    // Whatever starts may still throw a moment later, in what it has begun; the first servers have had that moment.
    private string? Fallen(ServiceFamily family, ServiceGeneration next) =>
        cube.GetStatus()
            .Servers.Where(server => family.At(server.Rank) == next)
            .SelectMany(server => server.Services.Select(service => (Server: server.Coordinate, Service: service)))
            .Where(place => family.Names.Contains(place.Service.Name) && place.Service.State != ServiceState.Running)
            .Select(place =>
                ServiceWords.NotRunning(place.Service.Name, place.Server, place.Service.State, place.Service.LastFault)
            )
            .FirstOrDefault();

    // On one server: its front ends of the old code close, the services change, the new front ends open. Whatever goes
    // wrong on the way, what was there before is there again.
    private async Task<ReplaceResult> ReplaceAsync(int rank, ServiceGeneration old, ServiceGeneration next)
    {
        ReplaceResult? result = null;
        await control.ChangeAsync(async () =>
        {
            bool listened = await BoundAsync(frontEnds.CloseAsync(rank, old.FrontEnds));
            try
            {
                result = await ReplaceServicesAsync(rank, next);
            }
            catch (TimeoutException)
            {
                // The loop is somewhere else. When it comes to it, it most likely has the new code.
                await OpenAsync(rank, next, listened);
                throw;
            }

            bool isRefused = result.Status == ReplaceStatus.Refused;
            string? fault = await OpenAsync(rank, isRefused ? old : next, listened);
            if (fault is null || isRefused)
            {
                return;
            }

            await BoundAsync(frontEnds.CloseAsync(rank, next.FrontEnds));
            await ReplaceServicesAsync(rank, old);
            await OpenAsync(rank, old, listened);
            result = ReplaceResult.Refused(fault);
        });
        return result!;
    }

    private Task<ReplaceResult> ReplaceServicesAsync(int rank, ServiceGeneration generation) =>
        BoundAsync(cube.ReplaceServicesAsync(rank, DefinitionsOf(generation)).AsTask());

    // Code of a plug-in need not come back, and other orders wait for this one.
    private Task<T> BoundAsync<T>(Task<T> task) => task.WaitAsync(parts.Options.Timeout, time);

    private async Task<string?> OpenAsync(int rank, ServiceGeneration generation, bool listens)
    {
        try
        {
            return await BoundAsync(
                Task.Run(async () =>
                {
                    frontEnds.Add(rank, generation.FrontEnds);
                    if (listens)
                    {
                        await frontEnds.StartAsync(rank, CancellationToken.None);
                    }

                    return (string?)null;
                })
            );
        }
        catch (TimeoutException)
        {
            return "its front ends did not open in time";
        }
        catch (Exception e)
        {
            return e is FrontEndStartException ? e.Message.TrimEnd('.') : $"a front end threw {ErrorText.Describe(e)}";
        }
    }

    // Whatever no server has any more is let go of.
    private IEnumerable<string> Settle(
        ServiceFamily family,
        IReadOnlyList<ServiceGeneration> before,
        ServiceGeneration next
    )
    {
        IReadOnlyList<ServiceGeneration> used = family.InUse;
        if (used.Contains(next))
        {
            FrontEndDefinition[] old = [.. before.SelectMany(generation => generation.FrontEnds)];
            parts.Services.Replace(next.Services);
            frontEnds.Define([.. frontEnds.Definitions.Select(one => old.Contains(one) ? Named(next, one) : one)]);
            parts.FrontEndsChanged(frontEnds.Definitions);
        }

        foreach (ServiceGeneration gone in before.Append(next).Except(used))
        {
            if (!gone.Plugin.IsUnloadable)
            {
                yield return $"the code of {gone.Plugin.Version} ({gone.Plugin.Hash}) was compiled ahead and stays in "
                    + "memory until the host ends; the new code is compiled as it runs.";
            }

            parts.Services.Unload(gone.Plugin);
        }
    }

    private static FrontEndDefinition Named(ServiceGeneration next, FrontEndDefinition old) =>
        next.FrontEnds.First(one => one.Name == old.Name);

    private void Log(string name, PluginAssembly plugin, string? problem)
    {
        if (problem is null)
        {
            HostingLog.Reloaded(_logger, name, plugin.Version, plugin.Hash);
        }
        else
        {
            HostingLog.ReloadEnded(_logger, name, plugin.Version, plugin.Hash, problem);
        }
    }
}
