using CamCube.Tool;

return await CamCubeCommandLine.RunAsync(args, Console.Out, Console.Error);
