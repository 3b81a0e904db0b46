using System.Runtime.InteropServices;

namespace CamCube.Benchmarks;

/// <summary>Ctrl+C and SIGTERM, for a run that would leave namespaces behind, and programs in them: it ends by
/// itself.</summary>
internal sealed class Interruption : IDisposable
{
    private readonly CancellationTokenSource _over = new();
    private readonly PosixSignalRegistration _interrupted;
    private readonly PosixSignalRegistration _ended;

    /// <summary>Takes the signals from now on.</summary>
    public Interruption()
    {
        _interrupted = PosixSignalRegistration.Create(PosixSignal.SIGINT, End);
        _ended = PosixSignalRegistration.Create(PosixSignal.SIGTERM, End);
    }

    /// <summary>Cancelled when one came.</summary>
    public CancellationToken Token => _over.Token;

    public void Dispose()
    {
        _interrupted.Dispose();
        _ended.Dispose();
        _over.Dispose();
    }

    private void End(PosixSignalContext signal)
    {
        signal.Cancel = true;
        _over.Cancel();
    }
}
