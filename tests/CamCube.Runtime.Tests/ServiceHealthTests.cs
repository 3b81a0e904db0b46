using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>What services say of how they are is in the status, and harms nobody.</summary>
public sealed class ServiceHealthTests : IDisposable
{
    private readonly TestCube _cube = new(2, 1, 1);
    private readonly Dictionary<Coordinate, Patient> _patients = [];

    public ServiceHealthTests()
    {
        _cube.Add(server => _patients[server.Coordinate] = new Patient());
        _cube.Advance(TimeSpan.FromMilliseconds(1));
    }

    [Fact]
    public void The_status_tells_what_the_instance_says_that_runs_now()
    {
        Assert.Equal([null, null], Told());
        _patients[_cube[0].Coordinate].Says = "copies are missing";
        Assert.Equal(["copies are missing", null], Told());

        // Another instance is another patient.
        _cube[0].ServerOf<Patient>().Loop.Post(static _ => throw new InvalidOperationException("Once."), null);
        _cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal([null, null], Told());
        _cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Single(_cube.Faults);
        Assert.Equal([null, null], Told());
    }

    [Fact]
    public void One_that_throws_when_it_is_asked_is_named_and_the_rest_is_told()
    {
        _patients[_cube[0].Coordinate].Says = "";
        Assert.Equal(["threw FormatException when it was asked how it is", null], Told());
        Assert.Empty(_cube.Faults);
    }

    public void Dispose() => _cube.Dispose();

    private string?[] Told() =>
        [
            .. Enumerable
                .Range(0, 2)
                .Select(rank => _cube[rank].Status.Services.Single(static s => s.Name == "patient").Unwell),
        ];

    [CamCubeService(0x077B, "patient")]
    private sealed class Patient : CamCubeService, IServiceHealth
    {
        public string? Says { get; set; }

        // Empty: it throws.
        public string? Unwell => Says is "" ? throw new FormatException("How?") : Says;
    }
}
