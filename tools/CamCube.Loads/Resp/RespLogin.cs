namespace CamCube.Loads.Resp;

/// <summary>Who a client says it is.</summary>
/// <param name="User">Its name; null: the user without one, <c>default</c>.</param>
/// <param name="Password">Its password, which travels as it is.</param>
public sealed record RespLogin(string? User, string Password)
{
    /// <summary>Where redis-cli, too, finds the password.</summary>
    public const string Variable = "REDISCLI_AUTH";

    /// <summary>The command.</summary>
    public IReadOnlyList<string> Words => User is null ? ["AUTH", Password] : ["AUTH", User, Password];

    /// <summary>Who the environment says the user is: with a password, or nobody.</summary>
    public static RespLogin? Find(string? user) =>
        Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } password ? new RespLogin(user, password) : null;

    /// <inheritdoc/>
    public override string ToString() => User ?? "default";
}
