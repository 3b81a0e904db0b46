using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>A program that notes what clients want of it.</summary>
internal sealed class FakeProcess : IMemcachedProcess
{
    public bool AllowsShutdown { get; set; }

    public int Verbosity { get; set; }

    public (TimeSpan User, TimeSpan System) ProcessorTime => (TimeSpan.FromSeconds(1.5), TimeSpan.FromMilliseconds(2));

    public List<bool> Shutdowns { get; } = [];

    public void Shutdown(bool graceful) => Shutdowns.Add(graceful);
}
