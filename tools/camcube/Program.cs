using CamCube.Tool.Syntax;

return await CamCubeCommandLine.RunAsync(args, Console.Out, Console.Error);
