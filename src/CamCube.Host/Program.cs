using CamCube.Host;

return await CamCubeHost.RunAsync(args);
