using System.Threading.Channels;
using CamCube.Hosting.Lifetime.Windows;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>A manager of Windows services that writes down what it is told.</summary>
/// <param name="hasStarted">Whether it has started this process.</param>
internal sealed class FakeServiceManager(bool hasStarted = true) : IServiceManager
{
    private readonly Channel<string> _reports = Channel.CreateUnbounded<string>();

    public Func<ServiceOrder, uint>? Handler { get; private set; }

    public bool HasReturned { get; private set; }

    public bool Dispatch(Action main)
    {
        if (hasStarted)
        {
            main();
            HasReturned = true;
        }

        return hasStarted;
    }

    public void Register(Func<ServiceOrder, uint> handler) => Handler = handler;

    public void Report(ServicePhase state, uint exitCode, uint waitMillis) =>
        _reports.Writer.TryWrite($"{state} {exitCode} {waitMillis}");

    public Task<string> ReportAsync() => _reports.Reader.ReadAsync().AsTask().SoonAsync();
}
