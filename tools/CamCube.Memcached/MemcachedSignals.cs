using System.Runtime.InteropServices;

namespace CamCube.Memcached;

/// <summary>Signals as memcached has them: three that stop, and SIGHUP, which has files read again.</summary>
internal sealed partial class MemcachedSignals : IDisposable
{
    private const int Interrupt = 2;
    private const PosixSignal User1 = (PosixSignal)10;
    private readonly List<PosixSignalRegistration> _registrations = [];

    public MemcachedSignals(CancellationTokenSource stop, TextWriter errors, Action reload)
    {
        if (!OperatingSystem.IsWindows())
        {
            // A shell starts what runs in its background with SIGINT ignored, and .NET leaves it so; memcached does
            // not.
            _ = SetHandler(Interrupt, 0);
        }

        Stops(PosixSignal.SIGINT, "Interrupt", stop, errors);
        Stops(PosixSignal.SIGTERM, "Terminated", stop, errors);
        if (!OperatingSystem.IsWindows())
        {
            Stops(User1, "User defined signal 1", stop, errors);
            _registrations.Add(
                PosixSignalRegistration.Create(
                    PosixSignal.SIGHUP,
                    context =>
                    {
                        context.Cancel = true;
                        reload();
                    }
                )
            );
        }
    }

    public void Dispose() => _registrations.ForEach(one => one.Dispose());

    private void Stops(PosixSignal signal, string name, CancellationTokenSource stop, TextWriter errors) =>
        _registrations.Add(
            PosixSignalRegistration.Create(
                signal,
                context =>
                {
                    context.Cancel = true;
                    errors.WriteLine($"Signal handled: {name}.");
                    stop.Cancel();
                }
            )
        );

    [LibraryImport("libc", EntryPoint = "signal")]
    private static partial nint SetHandler(int signal, nint handler);
}
