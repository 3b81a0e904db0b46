using CamCube.Host;
using CamCube.Hosting;

return await HostProgram.RunAsync(new HostSetup
{
    Arguments = args,
    Cubes = [new SimulatorCubeFactory(TimeProvider.System)],
});
