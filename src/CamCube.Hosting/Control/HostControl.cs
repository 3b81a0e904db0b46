using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Observing;
using CamCube.Runtime.Cubes;

namespace CamCube.Hosting.Control;

/// <summary>Stops and starts servers with their front ends, and cuts and mends cables; one action at a time. Any
/// thread.</summary>
internal sealed class HostControl(ICube cube, FrontEndSet frontEnds, HostHealth health, EndedParts ended) : IDisposable
{
    private readonly SemaphoreSlim _one = new(1, 1);

    /// <summary>Closes the server's ports, disconnects its clients, and stops it as if its power failed.</summary>
    public Task StopServerAsync(int rank) =>
        DoAsync(async () =>
        {
            await frontEnds.StopAsync(rank);
            await cube.StopServerAsync(rank);
        });

    /// <summary>Starts the server with empty memory and opens its ports.</summary>
    /// <exception cref="FrontEndStartException">The server runs, but a port could not be opened.</exception>
    public Task StartServerAsync(int rank) =>
        DoAsync(async () =>
        {
            await cube.StartServerAsync(rank);
            ended.Forget(cube.Shape.At(rank));
            await frontEnds.StartAsync(rank, CancellationToken.None);
        });

    /// <summary>Starts a service that threw or was stopped. Done if it runs already.</summary>
    public async Task<CommandResult> StartServiceAsync(int rank, string service)
    {
        CommandResult? result = null;
        await DoAsync(async () => result = await cube.StartServiceAsync(rank, service));
        return result!;
    }

    /// <summary>Changes what a server runs; like the other actions, one at a time.</summary>
    /// <exception cref="HostNotReadyException">The host starts or stops.</exception>
    public Task ChangeAsync(Func<Task> change) => DoAsync(change);

    /// <summary>Cuts a cable.</summary>
    public Task CutCableAsync(int rank, Link link) => DoAsync(() => cube.CutCableAsync(rank, link).AsTask());

    /// <summary>Mends a cable.</summary>
    public Task MendCableAsync(int rank, Link link) => DoAsync(() => cube.MendCableAsync(rank, link).AsTask());

    /// <summary>Waits for a running action; afterwards none begins. Called when the host stops.</summary>
    public async Task CloseAsync(CancellationToken cancel)
    {
        health.Stopping();
        await _one.WaitAsync(cancel);
        _one.Release();
    }

    /// <inheritdoc/>
    public void Dispose() => _one.Dispose();

    private async Task DoAsync(Func<Task> action)
    {
        await _one.WaitAsync();
        try
        {
            if (!health.Runs)
            {
                throw new HostNotReadyException(health.Reasons());
            }

            await action();
        }
        finally
        {
            _one.Release();
        }
    }
}
