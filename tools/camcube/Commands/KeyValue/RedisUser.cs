using System.CommandLine;
using CamCube.Loads.Resp;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary>Who clients are that speak Redis' protocol.</summary>
internal static class RedisUser
{
    /// <summary>--user.</summary>
    public static Option<string?> Option() =>
        new("--user")
        {
            Description =
                $"Who clients are in Redis' protocol; the password is {RespLogin.Variable} in the environment",
            HelpName = "NAME",
        };

    /// <summary>Who they are; null: they do not say it.</summary>
    /// <exception cref="ToolException">There is no password.</exception>
    public static RespLogin? Find(string? user) =>
        RespLogin.Find(user)
        ?? (
            user is null
                ? null
                : throw new ToolException(
                    ExitCode.Usage,
                    $"--user {user} needs a password in the environment, {RespLogin.Variable}."
                )
        );
}
