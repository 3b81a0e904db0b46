namespace CamCube.Client.Cache.Tests.Kit;

/// <summary>Two fake servers of one cube, with the machine's clock: the contract's tests see from outside what is kept
/// how long.</summary>
public sealed class FakeBackend : Backend
{
    private readonly FakeServer _first;
    private readonly FakeServer _second;

    public FakeBackend()
    {
        _first = new FakeServer(TimeProvider.System);
        _second = new FakeServer(TimeProvider.System, _first);
        Addresses = [_first.Address, _second.Address];
    }

    public override ValueTask InitializeAsync() => default;

    public override async ValueTask DisposeAsync()
    {
        await _first.DisposeAsync();
        await _second.DisposeAsync();
    }
}
