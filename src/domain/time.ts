export const secondsPerMinute = 60
export const secondsPerHour = 3600
export const secondsPerDay = 86_400
